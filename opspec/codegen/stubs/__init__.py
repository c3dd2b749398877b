"""From a definition to C: wrappers that call operators, example programs, rules. Nothing here reads or writes files."""
