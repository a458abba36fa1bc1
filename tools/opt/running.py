"""Running the passes of a command line, one by one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from passes.support import PassSequence, apply_step
from tools.opt.ir_printing import IRPrinting
from tools.opt.timing import PassTiming
from xegpu.diagnostics import failing_as


@dataclass
class PassRunner:
    """Runs passes, and looks on.

    Pipelines are looked into: what is shown and timed are their steps. Each pass of the command line, but not each step
    of a pipeline, is followed by `verify`.
    """

    context: Context
    printing: IRPrinting
    timing: PassTiming
    report_times: bool
    """Whether each pass says at once how long it took."""

    def run(self, passes: Sequence[ModulePass], module: ModuleOp, verify: Callable[[ModulePass], None]) -> None:
        """Applies passes to a module. Raises `CompileError` for whatever goes wrong."""
        for number, step in enumerate(passes):
            self._run(step, number, module)
            verify(step)

    def _run(self, step: ModulePass, number: int, module: ModuleOp) -> None:
        if isinstance(step, PassSequence):
            with self.timing.scope(step.name, number):
                for inner, part in enumerate(step.steps()):
                    self._run(part, inner, module)
        else:
            self.printing.around(step, module, lambda: self._apply(step, number, module))

    def _apply(self, step: ModulePass, number: int, module: ModuleOp) -> None:
        with self.timing.scope(step.name, number) as timer, failing_as(f"pass '{step.name}'"):
            earlier = timer.seconds
            apply_step(step, self.context, module)
        if self.report_times:
            print(f"Pass {step.name} took {timer.seconds - earlier} seconds", file=sys.stderr)


def flatten(passes: Sequence[ModulePass]) -> Iterator[ModulePass]:
    """The passes, with the steps of pipelines in their place."""
    for step in passes:
        if isinstance(step, PassSequence):
            yield from flatten(step.steps())
        else:
            yield step
