"""Runs the passes of the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from passes.pipeline_text import NestedPasses
from passes.support import PassSequence, apply_step
from tools.opt.ir_printing import IRPrinting
from tools.opt.timing import PassTiming
from xegpu.diagnostics import failing_as


@dataclass
class PassRunner:
    """Runs passes under observation.

    The steps of pipelines are printed and timed individually. `verify` runs after each pass of the command line, but
    not after each step of a pipeline.
    """

    context: Context
    printing: IRPrinting
    timing: PassTiming
    report_times: bool
    """Print the time of each pass when it ends."""

    def run(self, passes: Sequence[ModulePass], module: ModuleOp, verify: Callable[[ModulePass], None]) -> None:
        """Applies passes to a module. Raises `CompileError` for any failure."""
        for number, step in enumerate(passes):
            self._run(number, step, module)
            verify(step)

    def _run(self, number: int, step: ModulePass, module: ModuleOp) -> None:
        if isinstance(step, PassSequence):
            with self.timing.scope(step.name, number):
                for inner, part in enumerate(step.steps()):
                    self._run(inner, part, module)
        elif isinstance(step, NestedPasses):
            with self.timing.scope(described(step), number):
                step.apply_each(module, self._run)
        else:
            self.printing.around(step, module, lambda: self._apply(step, number, module))

    def _apply(self, step: ModulePass, number: int, module: ModuleOp) -> None:
        with self.timing.scope(step.name, number) as timer, failing_as(f"pass '{step.name}'"):
            earlier = timer.seconds
            apply_step(step, self.context, module)
        if self.report_times:
            print(f"Pass {step.name} took {timer.seconds - earlier} seconds", file=sys.stderr)


def described(step: ModulePass) -> str:
    """Returns the name of a pass, or the text of nested passes."""
    return str(step.spec()) if isinstance(step, NestedPasses) else step.name


def flatten(passes: Sequence[ModulePass]) -> Iterator[ModulePass]:
    """Yields the passes, with pipelines replaced by their steps."""
    for step in passes:
        if isinstance(step, PassSequence):
            yield from flatten(step.steps())
        else:
            yield step
