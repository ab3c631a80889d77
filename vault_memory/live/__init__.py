"""A vault kept open: its files watched, its commits gathered, its answers always ready."""
