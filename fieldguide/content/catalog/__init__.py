"""What is true: the schema, the loader and the look-ups of `catalog/`."""
