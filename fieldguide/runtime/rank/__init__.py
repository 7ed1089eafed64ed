"""Full-text search over the compiled index: what a text is about where no error in it is known."""
