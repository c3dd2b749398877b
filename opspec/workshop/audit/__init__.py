"""Defects of the vendor's pages themselves: what a documentation author would fix."""
