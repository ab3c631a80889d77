"""How well capture finds what transcripts with marked lessons hold."""
