"""Facts about the integers of a kernel: what divides them, their bounds, how they differ between lanes.

`IntegerFacts` finds them; `fact` describes the lattice. A module per dialect has a rule for each operation.
"""

import sys

from passes.analysis.integers.fact import IntegerFact as IntegerFact
from passes.analysis.integers.facts import IntegerFacts as IntegerFacts
from passes.analysis.integers.table import RULES as RULES, SOURCES as SOURCES, LaunchShape as LaunchShape
from xegpu.discovery import import_modules

import_modules(sys.modules[__name__])  # the modules of dialects declare rules
