"""The rules of operators as C: one file per operator, a registry per family, the run time, files to build them."""
