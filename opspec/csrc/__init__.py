"""All C that is written by hand, by who links it; Python finds it by these folders."""

from __future__ import annotations

import os

_HERE = os.path.dirname(os.path.abspath(__file__))

RULES = os.path.join(_HERE, "rules")  #: the run time of rules: judges and explains a call; libc only
SHARED = os.path.join(_HERE, "shared")  #: what simulator and layer share: handles, arguments, events
SIMULATOR = os.path.join(_HERE, "simulator")  #: the simulator's run time, a folder per library
LAYER = os.path.join(_HERE, "layer")  #: the layer in front of real libraries
INCLUDE = os.path.join(_HERE, "include")  #: headers of the SDK that are written by hand
