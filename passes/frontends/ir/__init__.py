"""Programs in LLVM IR: checks, links, optimises and specialises them."""

from __future__ import annotations

from passes.frontends.ir.specialisation import LaunchConstants, depends_on_grid, specialise
from passes.frontends.linking import link
from passes.frontends.optimisation import FEWEST_STEPS, PASSES, STEPS, IrError, check, prepare, run_passes

__all__ = [
    "FEWEST_STEPS",
    "PASSES",
    "STEPS",
    "IrError",
    "LaunchConstants",
    "check",
    "depends_on_grid",
    "link",
    "prepare",
    "run_passes",
    "specialise",
]
