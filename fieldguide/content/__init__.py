"""What the guide says: catalog, pages, keys, checks, and what is compiled from them."""
