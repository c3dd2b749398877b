"""The rule language: types, trees, parser, interpreter, Python back end, prose."""
