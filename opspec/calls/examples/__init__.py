"""Calls made from the rules themselves: the same expressions that judge a call say how to change it."""
