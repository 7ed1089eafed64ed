"""The Python-Markdown extension: key cross-links, cards and catalog tables. It runs with and without MkDocs."""

from fieldguide.site.markdown.extension import FieldGuideExtension, PageContext

__all__ = ["FieldGuideExtension", "PageContext"]
