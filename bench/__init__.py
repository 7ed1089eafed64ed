"""The search of this site and the reading of logs, measured against other engines: `make bench`."""
