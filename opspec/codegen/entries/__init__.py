"""The C around an operator's rules in simulator and layer: what they export, and how arguments get to the rules."""
