"""From a call to a verdict, and the words of its findings.

``files`` and ``read`` take calls from files, ``arguments`` puts each argument in its place, ``convert`` and
``python_args`` type it, ``judge`` turns what a compiled form reports into a ``verdict``, and ``explain`` makes
sentences of it when they are read. ``api`` is ``opspec.check``.
"""
