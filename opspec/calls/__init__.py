"""Calls made of rules: legal ones (``examples``), and test cases with a call that breaks each rule alone (``cases``).

What explains, repairs, compares and generates calls stands on it.
"""
