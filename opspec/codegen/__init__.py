"""From definitions to C: prototypes, stubs, rules, and the entries of simulator and layer.

Pure functions from a ``Definition`` to text; nothing here calls a compiler. The C that does not hang on an operator is
written by hand and lies in ``csrc``.
"""
