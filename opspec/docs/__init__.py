"""Documentation pages for people: a typed model of a page (``page``), its words in two languages, and its forms.

Conflicts between pages and runtime, and the reference of the rule language, are written here, too.
"""
