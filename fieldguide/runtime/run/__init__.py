"""The logs of a whole run: many files, one answer."""
