"""The `vmem` command."""
