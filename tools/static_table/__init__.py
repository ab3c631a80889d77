"""The steps of building the table of the bundled embedder."""
