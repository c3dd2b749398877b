"""From a definition to C: headers, call stubs, example programs. Pure functions; nothing here reads or writes files."""
