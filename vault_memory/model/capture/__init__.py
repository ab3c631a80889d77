"""What a conversation with an agent leaves to be kept, found without a language model."""
