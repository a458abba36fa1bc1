"""Jobs: one kernel with one combination of parameters, which is estimated or run.

A job is made of texts only, so that any process can do it, and its outcome depends on nothing else.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from contextlib import redirect_stderr
from dataclasses import asdict, dataclass

import numpy as np

from runtime import Device, Kernel, LaunchError, Profile, ZeError
from runtime.api import ConfiguredKernel, Tolerance, differences
from runtime.simulator.profile import Estimate
from tools.cli import CommandError, UsageError
from tools.run.inputs import RunInput
from tools.run.kernel_run import choose_kernel, configured
from tools.run.program import compile_kernels, import_program, language_of, read_program
from tools.run.values import Array, parse_value
from tools.tune.expressions import ARRAY_FUNCTIONS, NoValueError, evaluate, names_in
from xegpu.targets import TARGETS

_NUMPY = "numpy:"
_MLIR = "mlir"
_MOST_BYTES = 1 << 34
"""Bytes of the largest array of a job."""


@dataclass(frozen=True)
class Job:
    """A kernel and its launch, as texts in which no parameter is left."""

    name: str
    source: str
    grid: str
    args: tuple[str, ...]
    expects: tuple[tuple[str, str], ...]
    """Names or numbers of arguments, and their right contents."""
    target: str
    kernel: str | None = None
    group: str | None = None
    op_level: str | None = None
    pipeline: str | None = None
    build_options: str | None = None
    relative: float | None = None
    absolute: float | None = None
    check: str | None = None

    @property
    def key(self) -> str:
        """A digest of everything that the outcome depends on."""
        return hashlib.sha256(repr(sorted(asdict(self).items())).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class JobOutcome:
    """The outcome of a job: estimated `cycles`, and what they depend on; or else an `error`.

    `digest` is that of all arrays after a run, `None` for an estimate. `is_misuse` says that the error is one of the
    command line rather than of the kernel.
    """

    cycles: int | None = None
    bound: str = ""
    registers: int = 0
    scratch: int = 0
    error: str = ""
    digest: str | None = None
    is_misuse: bool = False


def predict(job: Job) -> JobOutcome:
    """Returns the estimate of the cost model, from the compiled code alone."""
    return _outcome(job, runs=False)


def measure(job: Job) -> JobOutcome:
    """Runs the kernel on the simulator, compares its results, and returns the estimate for what it executed."""
    return _outcome(job, runs=True)


def _outcome(job: Job, *, runs: bool) -> JobOutcome:
    try:
        return _run(job) if runs else _predict(job)
    except NoValueError as error:
        return JobOutcome(error=str(error))
    except UsageError as error:
        return JobOutcome(error=str(error), is_misuse=True)
    except (CommandError, LaunchError, ValueError, ZeError) as error:
        lines = (error.message("xegpu-tune") if isinstance(error, CommandError) else str(error)).splitlines()
        return JobOutcome(error="\n".join(lines[:4]))


def _predict(job: Job) -> JobOutcome:
    kernel = _load(job, Device(job.target))
    values = _values(job)
    found = _summary(kernel, _configured(kernel, job).predict(*values))
    names = dict(zip(kernel.parameter_names, values, strict=False))
    for selected, text in job.expects:
        _selected(selected, names)
        if text.startswith(_NUMPY):
            _check_names(text.removeprefix(_NUMPY), names)
    return found


def _run(job: Job) -> JobOutcome:
    kernel = _load(job, Device(job.target, checks=job.check, profile=True))
    arrays = _values(job)
    names = dict(zip(kernel.parameter_names, arrays, strict=False))
    before = {name: _wide(value) for name, value in names.items()}
    profile = _configured(kernel, job)(*arrays).profile
    assert profile is not None, "the device makes profiles"
    wrong = [line for lines in _wrong(job, names, before) for line in lines]
    digest = hashlib.sha256()
    for array in arrays:
        if isinstance(array, np.ndarray):
            digest.update(np.ascontiguousarray(array).tobytes())
    found = _summary(kernel, profile)
    return JobOutcome(
        found.cycles, found.bound, found.registers, found.scratch, "\n".join(wrong[:2]), digest.hexdigest()[:16]
    )


def _values(job: Job) -> list[Array | int | float]:
    found: list[Array | int | float] = []
    for text in job.args:
        value = parse_value(text, _MOST_BYTES)
        if not isinstance(value, np.ndarray | int | float):
            raise CommandError(f"--arg {text[:80]}: only arrays and numbers can be given")
        found.append(value)
    return found


def _wrong(job: Job, names: dict[str, Array | int | float], before: dict[str, Array | float]) -> Iterator[list[str]]:
    """Yields the differences from each expected array."""
    for selected, text in job.expects:
        name, found = _selected(selected, names)
        if text.startswith(_NUMPY):
            expected = np.asarray(evaluate(text.removeprefix(_NUMPY), before, ARRAY_FUNCTIONS))
        else:
            expected = np.asarray(parse_value(text, _MOST_BYTES))
        yield list(differences(name, found, expected, Tolerance(job.relative, job.absolute)))


def _selected(selected: str, names: dict[str, Array | int | float]) -> tuple[str, Array]:
    """Returns the name of an argument that is selected by its number or name, and the argument, which is an array."""
    name = list(names)[int(selected)] if selected.isdigit() and int(selected) < len(names) else selected
    found = names.get(name)
    if not isinstance(found, np.ndarray):
        arrays = ", ".join(name for name, value in names.items() if isinstance(value, np.ndarray))
        raise UsageError(f"--expect: '{selected[:80]}' is no array of the kernel, which has {arrays or 'none'}")
    return name, found


def _check_names(text: str, names: dict[str, Array | int | float]) -> None:
    unknown = [name for name in names_in(text) if name not in names]
    if unknown:
        raise UsageError(f"--expect '{text[:80]}': there is no '{unknown[0][:80]}', but {', '.join(names)}")


def _wide(value: Array | int | float) -> Array | float:
    """Returns a copy in the widest type of its kind, in which results are compared."""
    if not isinstance(value, np.ndarray):
        return value
    return value.astype(np.int64 if value.dtype.kind in "biu" else np.float64)


def _load(job: Job, device: Device) -> Kernel:
    source = RunInput(job.name, job.source.encode(), TARGETS[job.target])
    language = language_of(source)
    with redirect_stderr(io.StringIO()):  # warnings about one of many combinations help nobody
        if language == _MLIR:
            program = read_program(source.data, source.name, source.target, job.pipeline, job.op_level)
        else:
            program = import_program(source, language, job.pipeline, job.build_options or "")
        binary = compile_kernels(program, source.target)
    return choose_kernel(device.load(binary), job.kernel, job.name)


def _configured(kernel: Kernel, job: Job) -> ConfiguredKernel:
    grid = _counts(job.grid, "--grid")
    return configured(kernel, grid, None if job.group is None else _counts(job.group, "--group"))


def _counts(text: str, option: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > 3 or not all(part.isascii() and part.isdigit() and len(part) <= 10 for part in parts):
        raise CommandError(f"{option} '{text[:80]}' is not a list of one to three counts, e.g. 64 or 32,16")
    return tuple(map(int, parts))


def _summary(kernel: Kernel, profile: Profile) -> JobOutcome:
    estimate: Estimate = profile.estimate
    facts = profile.executable.description.facts
    return JobOutcome(estimate.cycles, estimate.bound, facts.grf_count, facts.scratch_size)
