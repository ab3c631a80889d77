"""Hooks of agents' programs: one call, at most one JSON object, and never a broken session."""
