"""opspec inside other programs: ``pytest``, and agents that speak the Model Context Protocol.

Each is a module that its host loads; none is loaded by anything else of opspec but by the command that starts it.
"""
