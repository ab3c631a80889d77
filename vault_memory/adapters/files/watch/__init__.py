"""Hearing of changes below a vault's root: the `Watch` port, by whatever the system offers."""
