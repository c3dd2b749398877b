"""What is compiled and run: the simulator SDK, the layer, and host programs under them.

``sdk`` and ``layer`` turn definitions into libraries, with C from ``codegen`` and ``csrc``; ``program`` runs a
program in front of them, ``tally`` adds up the events that it left. An SDK takes its place whole or not at all.
"""
