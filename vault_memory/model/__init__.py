"""Values and pure functions: no clock, no files, no environment."""
