"""The embedder that comes with the package: a table of token vectors, read with numpy alone."""
