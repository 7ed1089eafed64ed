"""The releases of a repository: tags of a clone, and what only the package index has, in a cache of git repositories."""
