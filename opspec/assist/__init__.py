"""What helps when a call has failed: a log becomes rules (``explain``), an illegal call becomes legal ones (``repair``).

Both are thin: what is legal, and in which words, the validator and the rules themselves say.
"""
