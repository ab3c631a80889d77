"""Texts to vectors: nothing, or a model of the sentence-transformers library."""
