"""What editors are told of memories: which keys there are, what they take, and how a new note begins."""
