"""What the programs of agents are told of memory: where their settings stand, and what is put there."""
