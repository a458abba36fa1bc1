"""Random kernels of every level: drawing, independent evaluation, comparison, and shrinking of what differs."""

from tests.unit.passes.kernels.fuzzing.checking import Finding, Outcome, check
from tests.unit.passes.kernels.fuzzing.drawing import draw
from tests.unit.passes.kernels.fuzzing.program import Level, Program
from tests.unit.passes.kernels.fuzzing.shrinking import shrink

__all__ = ["Finding", "Level", "Outcome", "Program", "check", "draw", "shrink"]
