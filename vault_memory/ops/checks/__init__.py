"""The doctor's checks, by what they look at."""
