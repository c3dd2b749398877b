"""Operators by name and release, and their compiled forms."""
