"""Which memories a caller wants: expressions over tags and front matter, and the filter made of them."""
