"""Keeping the guide true: keys read from source, a comparison with upstream, new entries, releases."""
