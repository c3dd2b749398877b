"""Inputs that nobody would write: none of them ends in a traceback, a hang or an undocumented exit status."""
