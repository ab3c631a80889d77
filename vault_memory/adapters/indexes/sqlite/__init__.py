"""The search index in one SQLite file: derived from the vault's files, dropped and rebuilt at will."""
