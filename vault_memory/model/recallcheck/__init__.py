"""Recall checks: what recall must find in a vault, and what it must not, as a file says it."""
