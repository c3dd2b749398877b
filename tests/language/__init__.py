"""Promises of the rule language."""
