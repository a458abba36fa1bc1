"""Passes that consist of other passes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xegpu.diagnostics import fill_locations
from xegpu.dialects import adopt


class PassSequence(ModulePass):
    """A pipeline under one name. To observe its steps, run them one by one with `apply_step`."""

    @abstractmethod
    def steps(self) -> Sequence[ModulePass]:
        """Returns the passes of the pipeline, in order."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for step in self.steps():
            apply_step(step, ctx, op)


def apply_step(step: ModulePass, ctx: Context, module: ModuleOp) -> None:
    """Runs one step of a sequence."""
    step.apply(ctx, module)
    if any(kind.__module__.startswith("xdsl.transforms.") for kind in type(step).__mro__):
        adopt(ctx, module)
    # Folding and merging drop locations, which later errors need.
    fill_locations(module)
