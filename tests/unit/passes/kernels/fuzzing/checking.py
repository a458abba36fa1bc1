"""Compiles a random kernel, runs it in both engines, and compares what it stores with the evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from passes.pipelines import read_module, run_to_kernels, xe_passes
from tests.unit.passes.kernels.fuzzing.program import Level, Program
from tests.unit.passes.kernels.harness import run
from xegpu.diagnostics import CompileError, SourceBuffer

REFUSALS: tuple[str, ...] = ()
"""Parts of messages that a kernel may be refused with."""


class Outcome(Enum):
    """The outcome of a check."""

    RIGHT = "right"
    REFUSED = "refused"


@dataclass(frozen=True)
class Finding(Exception):
    """A kernel that fails or computes something else; `kind` tells apart what goes wrong."""

    kind: str
    details: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.details}"


def check(program: Program) -> Outcome:
    """Raises a `Finding` unless the kernel stores what it should in both engines, or is refused as it may be."""
    try:
        context, module = read_module(SourceBuffer("kernel.mlir", program.text()))
        options = program.options
        passes = xe_passes(
            program.target.name,
            options.grf_count,
            unroll_factor=options.unroll_factor,
            pipeline_stages=options.pipeline_stages,
        )
        (kernel,) = run_to_kernels(context, module, passes)
    except CompileError as error:
        message = str(error)
        if any(part in message for part in REFUSALS):
            return Outcome.REFUSED
        raise Finding(_kind_of(message), message) from error
    arguments = program.arguments()
    local = (program.items, 1, 1) if program.level is Level.ITEM else None
    groups = (1, 1, 1) if program.level is Level.ITEM else (program.items, 1, 1)
    values = [value for _, _, value in arguments]
    names = [name for (name, _, value) in arguments if isinstance(value, np.ndarray) and value.ndim]
    try:
        outputs = dict(zip(names, run(kernel, *values, groups=groups, local=local, target=program.target), strict=True))
    except AssertionError as error:
        raise Finding("engines differ", str(error)) from error
    for name, expected in program.evaluate().items():
        found = outputs[name].view(expected.dtype)
        if not np.array_equal(found.astype(np.float64), expected.astype(np.float64), equal_nan=True):
            raise Finding("wrong result", f"{name}:\n{found}\nexpected\n{expected}")
    return Outcome.RIGHT


def _kind_of(message: str) -> str:
    """Returns a message without its location and the numbers in it."""
    text = message.splitlines()[0].partition("error: ")[2]
    return "".join("#" if character.isdigit() else character for character in text)[:100]
