"""The commands of `python -m fieldguide`: each takes its options and returns its exit code."""
