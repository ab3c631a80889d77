"""The vault's files on disk: walking, reading, durable writing, the lock and the folders of ours."""
