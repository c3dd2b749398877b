"""From a definition to C: wrappers that call operators, example programs, rules beside them. Pure functions; nothing here reads or writes files."""
