"""What people and agents touch."""
