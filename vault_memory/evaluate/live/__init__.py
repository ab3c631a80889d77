"""How fast a vault is that a resident process keeps open."""
