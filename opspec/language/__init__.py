"""The rule language: a text is parsed and typed once, and everything else takes the tree.

``parse`` makes a ``tree`` with the ``types``; ``functions`` is the table of what may be called. ``interpret`` is
what an expression means, slowly; ``python`` compiles it, ``prose`` says it, ``text`` writes it back; ``facts`` and
``ranges`` know what it reads and how large it gets. ``runtime`` and ``values`` are what compiled rules need: nothing
else is imported then.
"""
