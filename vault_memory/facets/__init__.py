"""The parts of a vault's public face, one file each."""
