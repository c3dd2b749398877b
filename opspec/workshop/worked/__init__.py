"""Small calls with numbers: inputs that suit an operator, and outputs that a reference computes of them.

Development alone: it needs PyTorch, and nothing that users run does. ``python -m opspec.workshop.worked`` writes
``specs/BASE/worked.jsonl``, which pages show.
"""
