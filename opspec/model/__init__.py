"""The spec format: models, sugar, expansion, canonical form, lint."""
