"""JavaScript back end: a script of each operator judges calls as Python and C do; ``opspec/js`` is its run time."""
