"""The hosted site and what stands beside its pages: Markdown, search data, feeds, permalinks, the offline copy."""
