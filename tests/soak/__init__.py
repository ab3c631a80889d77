"""Everyone at work on one vault for some minutes, and killed at random: `make soak`."""
