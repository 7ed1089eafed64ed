"""Results of upstream's own checks, recorded: `python -m tests.upstream.rules path/to/clones`."""
