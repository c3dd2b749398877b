"""The words of the field: dtypes, formats, products, status codes, C types, promotion, broadcast."""
