"""Settings: one table, loaded from defaults, files, environment and flags."""
