"""All JavaScript that is written by hand, by who loads it; Python finds it by these folders."""

from __future__ import annotations

import os

_HERE = os.path.dirname(os.path.abspath(__file__))

RULES = os.path.join(_HERE, "rules")  #: the run time of rules: judges a call; needs no browser
