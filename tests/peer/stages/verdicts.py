"""Judges the texts that upstream's pipeline leaves: whether they compile here, and compute the same."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from runtime import Buffer, Device, ze
from runtime.mux import compile_module
from tests.peer.stages.pipeline import lowered, refusal
from tests.peer.stages.programs import LEVELS, Program, with_layouts
from tests.unit.gallery.support import Argument, assert_within
from tests.unit.passes.kernels.harness import ENGINES, Array
from xegpu.diagnostics import CompileError

TARGET = "pvc"


class Outcome(Enum):
    """Names what can become of a stage, from the best to the worst."""

    SAME = "="
    """The same bits as the kernel as it is written."""
    WITHIN = "≈"
    """Other bits, within the bound of the exact results."""
    REFUSED = "R"
    """It is refused here."""
    DIFFERENT = "D"
    """It computes something else, or ends in a fault."""
    ENDED = "U"
    """Upstream itself refuses the kernel at this stage, or what it has made of it."""


@dataclass(frozen=True)
class Verdict:
    """The outcome of a stage, with the reason if it is not right."""

    outcome: Outcome
    reason: str = ""


def judge(program: Program, version: int, only: str | None = None) -> dict[str, Verdict]:
    """Returns what becomes of a kernel after each stage of a version, or after one of them.

    Stages that change nothing are left out.
    """
    source = with_layouts(program.text) if (version, program.level) == (22, "wg") else program.text
    lowering = lowered(version, source, LEVELS[program.level])
    reference = _run(program, program.text)
    verdicts: dict[str, Verdict] = {}
    for stage, text in lowering.texts.items():
        if only is None or stage == only:
            verdict = _compare(program, text, reference)
            if verdict.outcome is Outcome.REFUSED and (own := refusal(version, text)) is not None:
                verdict = Verdict(Outcome.ENDED, f"does not read what it writes: {own}")
            verdicts[stage] = verdict
    if lowering.refusal is not None:
        stage, reason = lowering.refusal
        if only is None or stage == only:
            verdicts.setdefault(stage, Verdict(Outcome.ENDED, reason))
    return verdicts


def _compare(program: Program, text: str, reference: Sequence[Array]) -> Verdict:
    try:
        results = _run(program, text)
    except CompileError as error:
        return Verdict(Outcome.REFUSED, _reason(error))
    except ze.ZeError as error:
        return Verdict(Outcome.DIFFERENT, str(error))
    if all(a.tobytes() == b.tobytes() for a, b in zip(results, reference, strict=True)):
        return Verdict(Outcome.SAME)
    try:
        for position, exact, bound in program.results:
            assert_within(results[position], exact, bound)
    except AssertionError as error:
        return Verdict(Outcome.DIFFERENT, str(error))
    return Verdict(Outcome.WITHIN)


def _reason(error: CompileError) -> str:
    first = str(error).splitlines()[0]
    return re.sub(r"^.*?error: ", "", first)


def _run(program: Program, text: str) -> list[Array]:
    """Returns the arrays among the arguments as a kernel leaves them."""
    with Device(TARGET, ENGINES[0]) as device:
        (kernel,) = device.load(compile_module(text, TARGET, "<stage>")).values()
        passed = [device.array(value) if isinstance(value, np.ndarray) else value for value in program.arguments]
        if len(kernel.parameter_names) == len(passed):
            kernel[program.grid, program.block](*passed)
        else:  # a buffer is the parts of its descriptor
            kernel[program.grid, program.block](*(part for value in passed for part in _parts(value)))
        return [value.numpy() for value in passed if isinstance(value, Buffer)]


def _parts(value: Buffer | Argument) -> Iterator[Buffer | Argument]:
    """Yields what upstream's calling convention makes of an argument.

    https://mlir.llvm.org/docs/TargetLLVMIR/#ranked-memref-types
    """
    yield value
    if isinstance(value, Buffer):
        yield from (value, 0)
        yield from value.shape
        yield from (math.prod(value.shape[n + 1 :]) for n in range(len(value.shape)))
