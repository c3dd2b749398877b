"""Verdicts against recorded calls: how often the predicted status is the recorded one, and where not, which rules."""
