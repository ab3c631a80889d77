"""Git: memories into commits, and history out of them."""
