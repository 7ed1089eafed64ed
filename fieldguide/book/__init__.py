"""The guide as a book: article HTML → pandoc → Typst → PDF, one file per language, indexes and page numbers included."""
