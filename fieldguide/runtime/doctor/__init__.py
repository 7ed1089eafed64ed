"""Versions that fit: an environment is read, and compared with what the frameworks were built with."""
