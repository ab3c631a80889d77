"""Values to text for people and prompts; pure."""
