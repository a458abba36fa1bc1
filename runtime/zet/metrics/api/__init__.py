"""The functions of metrics, one module for each subject.

Importing the package declares all of them. Type checkers take the names from the imports below; a literal `__all__`
would repeat each of them.
"""

# ruff: noqa: F403 - what the chapters declare

from __future__ import annotations

from runtime.zet.metrics.api.calculation import *
from runtime.zet.metrics.api.extensions import *
from runtime.zet.metrics.api.groups import *
from runtime.zet.metrics.api.queries import *
from runtime.zet.metrics.api.streams import *
from runtime.zet.metrics.api.unsupported import *

# isort: split

from runtime.zet.metrics.api.older_forms import *

globals()["__all__"] = sorted(name for name in globals() if name.startswith("zet"))
