"""What helps when a call has failed: ``explain`` makes rules of a log, ``repair`` legal calls of an illegal one.

Both are thin: what is legal, and in which words, the validator and the rules themselves say.
"""
