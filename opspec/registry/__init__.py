"""Operators by name and release, and their compiled forms: shipped in the wheel, else kept by content.

Finding an operator and loading its form imports no models: ``compile`` is imported only when a form is missing or
stale.
"""
