"""Documentation pages: a typed model of a page, its words in two languages, and its forms."""
