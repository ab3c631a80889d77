"""Which table this package brings: written by tools/build_static_table.py, never by hand."""

FILE = "pieces.table"
DIMENSIONS = 512
SHA256 = "c91507d1c8d5b624b6cdae3ca3f7a2f3445423cae966befd157329463ec22b49"
