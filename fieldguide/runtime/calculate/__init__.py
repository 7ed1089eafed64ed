"""Batch sizes and GPU counts from settings: which numbers follow, and which assertion would fire."""
