"""What a forge runs when a change of memories is proposed: texts, made from a few words."""
