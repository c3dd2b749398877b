"""The spec format: from a YAML file to definitions.

``spec`` has the models of what may be written, ``sugar`` and ``dims`` make rules of properties, ``expand`` types every
expression and orders the rules, ``twin`` renames them for a second operator. ``canonical`` is the one form of a file,
``schema`` what editors check with. ``load`` does all of it, and gives every fault its place.
"""
