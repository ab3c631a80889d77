"""The resident process of a vault, and how others talk to it."""
