"""Errors brought about by small programs with published packages, and what was printed; `cases.yml` says which is which."""
