"""What stands in place of files, journal, history and clock where a vault is only looked at."""
