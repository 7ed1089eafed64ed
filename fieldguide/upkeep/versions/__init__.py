"""What each release of a framework was built with, read from the files of its repository: `catalog/versions/`."""
