"""JavaScript back end: a script of each operator judges calls as Python and C do; ``opspec/web`` is its run time."""
