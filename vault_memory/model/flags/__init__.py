"""What a reviewer should look at in a changed memory: one table of flags, and how each is found."""
