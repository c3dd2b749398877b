"""All that is written by hand for browsers, by who loads it; Python finds it by these folders."""

from __future__ import annotations

import os

_HERE = os.path.dirname(os.path.abspath(__file__))

RULES = os.path.join(_HERE, "rules")  #: the run time of rules in JavaScript: judges a call; needs no browser
SITE = os.path.join(_HERE, "site")  #: the site's scripts, its style and its font
