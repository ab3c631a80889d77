"""The tests: claims about vault-memory, each shown on real files, git, SQLite and processes."""
