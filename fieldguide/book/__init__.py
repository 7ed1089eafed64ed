"""The guide as a book: article HTML → Typst → PDF, one file per language, indexes and page numbers included."""
