"""A binary of Intel's compiler is read, has Intel's text, waits, runs and is right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from runtime import Device, LaunchError, ZeError
from tests.bulk.native.binaries import OptionSet
from tests.bulk.suite.cases import Kernel, kernels, kernels_of
from tests.peer.native import iga
from tests.peer.native.test_execution import IMAGES_WITHOUT_A_PEER, INEXACT
from tests.peer.native.test_iga64 import words_of
from tests.peer.opencl import cpu, producers
from tests.peer.opencl.cases import Array, Case, cases
from tests.peer.opencl.refusals import known_of_cpu
from xegpu.isa.native import find_hazards, format_native, native_instructions
from xegpu.targets import Platform
from zebin import FindingSeverity, ZebinError, read

_OWN = Path(__file__).with_name("kernels.cl")
_TIME_LIMIT = 120
_INEXACT_ULP = 2.0**17
"""The distance of floats with options that let the compiler round otherwise."""

_DECIDED_BY_ROUNDING = {"double_angles", "mandelbrot", "vector_functions"}
"""Kernels with other results if the compiler may round otherwise: numbers of steps, functions of Intel's library that
add a large number and subtract it to round, as `tgamma` of floats and `tanpi` of doubles do."""

Launches = Case | Kernel
"""Lists what is compiled and run."""

_LONG_QUADS = {"pvc-xl-a0", "pvc-xl-a0p"}
"""Early steppings, which compute with integers of 64 bits in the pipe of doubles: the scoreboard is not judged."""

_SHORT_CONVERSIONS = {"pvc-xl-a0", "pvc-xl-a0p", "pvc-xt-a0"}
"""Early steppings for which today's compiler converts doubles to longs by numbers of 32 bits without sign."""

SAME, RAN = "same", "ran"
"""The two verdicts of launches that are no failures: right results, and results that nothing can be compared with."""


@cache
def everything() -> list[Launches]:
    """Returns all kernels."""
    return [*cases(), *kernels(), *kernels_of(_OWN)]


@cache
def device(model: str, engine: str) -> Device:
    return Device(model, engine=engine, time_limit=_TIME_LIMIT)


def models(launch: Launches) -> Sequence[str]:
    """Returns the models that a kernel is compiled for: those of GPUs without doubles are asked for all the same."""
    if isinstance(launch, Kernel):
        return launch.gpus
    return ("pvc", "arc") if launch.target == "pvc" else ("arc",)


def expected(launch: Launches, answer: cpu.Answer) -> list[Array] | None:
    """Returns what a kernel computes on the CPU, or else with our compiler; None if neither is a measure."""
    if launch.name in INEXACT:
        return None
    if not isinstance(answer, str):
        return answer
    if launch.name in IMAGES_WITHOUT_A_PEER:
        return None
    assert isinstance(launch, Case) and known_of_cpu(launch.name), f"the CPU does not run {launch.name}: {answer}"
    ours = device(launch.target, "jit")
    return producers.launched(launch, producers.compiled(launch, "llvm", ours), ours)


def is_comparable(launch: Launches, name: str, options: OptionSet) -> bool:
    """Returns whether code for a name of a product, compiled with options, computes what others do."""
    is_short = name in _SHORT_CONVERSIONS and launch.name == "double_to_long"
    return not is_short and not (options.is_inexact and launch.name in _DECIDED_BY_ROUNDING)


def problems(platform: Platform, name: str, binary: bytes) -> Iterator[tuple[str, str]]:
    """Yields what is wrong with a binary before it runs, and of what kind that is."""
    try:
        yield from _problems(platform, name, binary)
    except (ZebinError, ValueError) as error:
        yield "read", str(error)


def _problems(platform: Platform, name: str, binary: bytes) -> Iterator[tuple[str, str]]:
    found = read(binary)
    for finding in found.findings:
        if finding.severity is FindingSeverity.ERROR:
            yield "read", str(finding)
    for section in found.elf.sections:
        if not section.name.startswith(".text"):
            continue
        code = bytes(section.data)
        texts = iga.lines(platform, code)
        for offset, instruction in native_instructions(platform, code):
            if (mine := words_of(format_native(instruction))) != (theirs := words_of(texts[offset])):
                yield "text", f"{section.name}+{offset:#x}: {' '.join(mine)}, not {' '.join(theirs)}"
                break
        hazards = () if name in _LONG_QUADS else find_hazards(platform, code)
        if hazards:
            yield "hazard", f"{section.name}: {hazards[0]}"


def outcome(
    launch: Launches, binary: bytes, device: Device, right: list[Array] | None, options: OptionSet
) -> tuple[str, str]:
    """Returns what becomes of a launch, and the text about it.

    Args:
        launch: the kernel.
        binary: what `ocloc` has made of it.
        device: where it runs.
        right: the results; None if there is nothing to compare with.
        options: how it was compiled.
    """
    try:
        module = device.load(binary)
        module[launch.name]
    except ZeError as error:
        return "refused", str(error)
    try:
        found = producers.launched(launch, module, device)
    except (ZeError, LaunchError) as error:
        return "run", str(error)
    if right is None:
        return RAN, ""
    compared = replace(launch, ulp=max(launch.ulp, _INEXACT_ULP)) if options.is_inexact else launch
    difference = compared.difference(found, right)
    return (SAME, "") if difference is None else ("result", difference)
