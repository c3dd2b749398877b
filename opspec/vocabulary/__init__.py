"""The words of the field: dtypes, formats, products, status codes, C types, promotion, broadcast.

Facts are data (``data/*.json``), read when first asked for; functions are pure, and know nothing of operators.
"""
