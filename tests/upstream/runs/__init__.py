"""Programs that fail in a run of several processes, and what records their logs."""
