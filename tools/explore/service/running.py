"""Runs a kernel or a host program, and tells what it has computed, which errors it has, and where its time goes."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout

from passes.pipelines import read_module
from runtime import Device, LaunchResult, ZeError
from tools.cli import CommandError, ReportedError, UsageError
from tools.explore.protocol import ASSEMBLIES, Json, RunRequest
from tools.explore.service.compiling import Compilation, compiled, steps_of
from tools.explore.service.profiles import launched
from tools.explore.service.results import pictures
from tools.run.arguments import ArgumentList
from tools.run.command import RunOptions
from tools.run.kernel_run import KernelRun, choose_kernel
from tools.run.program import ParsedProgram
from tools.run.program_run import ProgramRun, compile_whole
from xegpu.diagnostics import SourceBuffer

MAX_MEMORY = 256 << 20
"""The bytes that the arguments of a run may take together."""
MOST_PRINTED = 1 << 18
"""The characters that are kept of what a run prints."""
MOST_LAUNCHES = 16
"""The launches of a program that are shown."""

_TIME_LIMIT = 0.75
"""The part of the time for an answer that a launch gets, so that it ends with a report of where it is."""

_MISSING = {"grid": "fill in 'Work-groups'", "block": "fill in 'Work-items of each'"}
"""Says what a run lacks that states no size."""

_FILE = ".npy"
_UNDESCRIBED = "assembly is run with a description of its kernel: .ze_info, in a comment /* .ze_info ... */"


class _Printed(io.TextIOBase):
    """A stream that keeps the beginning of what is printed."""

    def __init__(self) -> None:
        self._text = io.StringIO()
        self._length = 0

    def write(self, text: str, /) -> int:
        kept = text[: max(MOST_PRINTED - self._length, 0)]
        self._text.write(kept)
        self._length += len(text)
        return len(text)

    def text(self) -> str:
        hidden = self._length - MOST_PRINTED
        return self._text.getvalue() + (f"\n... {hidden} more characters" if hidden > 0 else "")


def run(request: RunRequest, timeout: float) -> dict[str, Json]:
    """Returns the results of a run, the findings of its checks, and the profiles of its launches.

    What is run is a kernel of the compilation, or a program's host function; a run that fails has `error` instead of
    results.
    """
    if any(_FILE in text for text in request.arguments):
        return _failure("arrays are not read from files here")
    try:
        device = Device(
            request.compilation.target,
            checks=request.check or None,
            profile=True,
            time_limit=timeout * _TIME_LIMIT,
            memory_limit=MAX_MEMORY,
            progress=_no_progress,
        )
    except ValueError as error:
        return _failure(str(error))
    printed = _Printed()
    with device, redirect_stdout(printed), redirect_stderr(printed):
        found = _run_kernel(request, device) if not request.program else _run_program(request, device)
    return {**found, "printed": printed.text()}


def _options(request: RunRequest) -> RunOptions:
    return RunOptions(
        grid=request.grid or None,
        group=request.group or None,
        arg=list(request.arguments),
        memory_limit=str(MAX_MEMORY),
    )


def _run_kernel(request: RunRequest, device: Device) -> dict[str, Json]:
    compilation = compiled(request.compilation)
    filename = request.compilation.filename
    if compilation.binary is None:
        if request.compilation.language in ASSEMBLIES and not compilation.has_errors:
            return _failure(_UNDESCRIBED)
        return _failure("there is no binary to run: see the messages of the compilation")
    try:
        kernel = choose_kernel(device.load(compilation.binary), request.kernel or None, filename)
        job = KernelRun(device, kernel, _options(request), _MISSING)
        result = job()
    except (CommandError, UsageError, ReportedError) as error:
        return _failure(str(error))
    except ZeError as error:
        return _failure(error.text, filename)
    return _outcome(job.arguments, [result], compilation, filename)


def _run_program(request: RunRequest, device: Device) -> dict[str, Json]:
    """Runs a host function, which launches kernels itself."""
    filename = request.compilation.filename
    compilation = Compilation()
    launches: list[LaunchResult] = []
    with compilation.collecting():
        source = SourceBuffer(filename, request.compilation.source)
        context, module = read_module(source)
        steps = steps_of(request.compilation, context)
        program = ParsedProgram(source, context, module, steps)
        try:
            job = ProgramRun(program, compile_whole(program, device.target), device, _options(request), request.program)
            launches = job.launches
            job()
        except (CommandError, UsageError, ReportedError) as error:
            return _failure(str(error), filename)
        except ZeError as error:
            return _failure(error.text, filename)
        return _outcome(job.arguments, launches, compilation, filename)
    return _failure("the program cannot be compiled: see the messages of the compilation")


def _outcome(
    arguments: ArgumentList, launches: list[LaunchResult], compilation: Compilation, filename: str
) -> dict[str, Json]:
    return {
        "error": None,
        "findings": [],
        "launches": [launched(result, filename, compilation.code_lines) for result in launches[:MOST_LAUNCHES]],
        "launch_count": len(launches),
        "results": [picture for name, value in arguments.named_values for picture in pictures(name, value)],
    }


def _failure(reason: str, filename: str | None = None) -> dict[str, Json]:
    """Returns the answer of a run that fails, with the places in a file that the reason names."""
    findings = [] if filename is None else list(_findings(reason, filename))
    return {"error": reason, "findings": findings, "launches": [], "launch_count": 0, "results": []}


def _no_progress(kernel: str, groups: int) -> None:
    """Shows no progress."""


_SOURCE = re.compile(r"^  source: (?P<file>.*):(?P<line>\d+):(?P<column>\d+)$", re.MULTILINE)
_MESSAGE = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): error: ")


def _findings(report: str, filename: str) -> Iterator[Json]:
    """Yields the findings of a report with the line of the first place in the source that each names."""
    for text in report.split("\n\n"):
        match = _SOURCE.search(text) or _MESSAGE.match(text)
        if match is not None:
            is_here = match["file"] == filename
            line, column = (int(match["line"]), int(match["column"])) if is_here else (0, 0)
            yield {"line": line, "column": column, "message": text}
