"""RL Post-Training Field Guide: the catalog of errors and keys, and the plain functions that turn it into a site."""
