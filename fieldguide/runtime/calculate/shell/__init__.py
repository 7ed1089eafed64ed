"""What a launch script would run: its tree from a parser of Bash, and words, variables and branches worked out above it."""
