"""The driver of `xegpu-run`: loads a kernel or program, runs it, and prints or checks the results."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import numpy as np

from runtime import Device, LaunchResult, ZeError
from runtime.api import Tolerance, differences
from runtime.debugger import DebugError, Debugger, InstructionTracer, Shell, StopReason, TraceFilter
from runtime.debugger.trace import DEFAULT_LIMIT
from runtime.disk_cache import find_binary
from runtime.simulator.interpreter import Observer
from runtime.simulator.profile import Profile, rendered, write_profile
from runtime.zet.metrics import MetricRecording
from tools.cli import STANDARD_STREAM, CommandError, UsageError, reason, replaced
from tools.run.arguments import ArgumentList, memory_limit
from tools.run.command import ArgumentSelection, RunOptions
from tools.run.inputs import RunInput, read_input
from tools.run.kernel_run import KernelRun, choose_kernel
from tools.run.metrics import chosen_groups, show_metrics
from tools.run.values import Array, as_type, parse_value
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # a ZEBIN runs without a compiler
    import tools.run.program as programs
    import tools.run.program_run as program_run

_MAIN = "main"
"""The default entry point of programs."""


class Run(Protocol):
    """A kernel or program that can run several times; it records the launches of its last run."""

    arguments: ArgumentList
    launches: list[LaunchResult]
    is_done: bool

    def __call__(self) -> object:
        """Runs it. Raises `CommandError`, and `ZeError` for a kernel that cannot be launched or that fails."""

    def unwritten(self) -> Iterable[str]:
        """Returns what to say about results that are incomplete."""

    def is_good(self) -> bool:
        """Returns whether the program's own checks of its results succeeded; prints those that failed."""


def run(options: RunOptions) -> int:
    """Executes the command line. Returns 0, or 1 if a result is not as expected.

    Raises:
        CommandError: If the input is wrong, or a kernel cannot be launched or fails.
    """
    try:
        return _run(options)
    except ZeError as error:
        raise CommandError(str(error)) from None


def _run(options: RunOptions) -> int:
    groups = [] if options.metrics is None else chosen_groups(options.metrics)
    source = read_input(options.file, options.target, options.kernel)
    with ExitStack() as stack:
        debugger = Debugger() if options.debug or options.breakpoints else None
        observers: list[Observer] = [] if debugger is None else [debugger]
        if options.trace is not None:
            observers.append(_tracer(options, stack))
        device = _device(options, source.target.name, observers)
        job = _zebin_run(options, device, source) if source.is_binary else _text_run(options, device, source)
        recording = None if options.metrics is None else stack.enter_context(MetricRecording(device.session.device))
        if debugger is None:
            job()
        elif not _debug(debugger, job, options.breakpoints):
            return 1
        for line in job.unwritten():
            print(f"xegpu-run: note: {line}", file=sys.stderr)
    if not job.is_done:
        print("xegpu-run: note: the run was not completed", file=sys.stderr)
        return 0
    if not options.quiet:
        _summarize(job.launches)
    _show_profiles(job.launches, options.profile)
    if recording is not None:
        show_metrics(recording, groups, options.metrics_format, options.metrics_output)
    is_good = job.is_good()
    return 0 if _show_results(job.arguments, options) and is_good else 1


def _zebin_run(options: RunOptions, device: Device, source: RunInput) -> Run:
    _check_language(options, _ZEBIN)
    if options.pipeline is not None:
        raise UsageError("--pipeline requires kernels to compile, but the file is a ZEBIN")
    return _kernel_run(options, device, source, source.data)


_ZEBIN, _MLIR, _OPENCL = "zebin", "mlir", "opencl"
_LANGUAGES = {_ZEBIN: "a ZEBIN", _MLIR: "MLIR", "llvm": "LLVM IR", _OPENCL: "OpenCL C", "spirv": "SPIR-V"}
"""The names of languages, for messages."""


def _check_language(options: RunOptions, language: str) -> None:
    """Raises `UsageError` for an option that the language of the file has no use for."""
    for flag, value, wanted in (
        ("--op-level", options.op_level, _MLIR),
        ("--entry-point", options.entry_point, _MLIR),
        ("--lower-with", options.lower_with, _MLIR),
        ("--build-options", options.build_options, _OPENCL),
    ):
        if value is not None and language != wanted:
            raise UsageError(f"{flag} requires {_LANGUAGES[wanted]}, but the file is {_LANGUAGES[language]}")
    if options.igc and language not in (_OPENCL, "spirv"):
        raise UsageError(f"--igc requires OpenCL C or SPIR-V, but the file is {_LANGUAGES[language]}")


def _text_run(options: RunOptions, device: Device, source: RunInput) -> Run:
    # What another program makes of the file depends on that program, too.
    inputs = _inputs(options, source) if options.lower_with is None else ()
    binary = find_binary(*inputs) if inputs else None
    if binary is not None:
        return _kernel_run(options, device, source, binary)
    language = programs.language_of(source)
    _check_language(options, language)
    if options.igc:
        if options.pipeline is not None:
            raise UsageError("--pipeline and --igc exclude each other")
        binary = programs.compile_native(source, language, device.target, options.build_options or "", options.quiet)
        return _kernel_run(options, device, source, binary)
    if language != _MLIR:
        program = programs.import_program(source, language, options.pipeline, options.build_options or "")
        return _kernel_run(options, device, source, programs.compile_kernels(program, device.target))
    if options.pipeline is not None and options.op_level is not None:
        raise UsageError("--op-level and --pipeline exclude each other: use xegpu-infer-op-level{level=...} in it")
    program = programs.read_program(
        source.data, source.name, device.target, options.pipeline, options.op_level, options.lower_with
    )
    if options.kernel is not None and programs.keep_modules(program.module, options.kernel):
        inputs = ()  # The binary lacks the other kernels.
    if options.target is None:
        programs.check_chips(program.module, device.target, source.name)
    entry = options.entry_point or _MAIN
    if options.kernel is None and (options.entry_point is not None or program.has_function(entry)):
        if options.grid is not None or options.group is not None:
            raise UsageError("--grid and --group require a kernel (-k): host code launches its kernels itself")
        return program_run.ProgramRun(
            program, program_run.compile_whole(program, device.target), device, options, entry
        )
    return _kernel_run(options, device, source, programs.compile_kernels(program, device.target, inputs))


def _inputs(options: RunOptions, source: RunInput) -> tuple[bytes | str, ...]:
    """Returns everything that decides whether MLIR runs as a kernel, and what it is compiled to."""
    choices = (
        options.target,
        options.op_level,
        options.pipeline,
        options.entry_point,
        options.build_options,
        options.igc,
    )
    return "xegpu-run", repr(choices), str(options.kernel is None), source.target.name, source.name, source.data


def _kernel_run(options: RunOptions, device: Device, source: RunInput, binary: bytes) -> Run:
    return KernelRun(device, choose_kernel(device.load(binary), options.kernel, source.name), options)


def _device(options: RunOptions, target: str, observers: Sequence[Observer]) -> Device:
    engine = "interpreter" if observers else options.engine
    try:
        return Device(
            target,
            engine,
            options.threads,
            checks=options.check,
            observers=observers,
            time_limit=options.time_limit,
            memory_limit=memory_limit(options) if options.memory_limit else None,
            profile=bool(options.profile),
            progress=_no_progress if observers else None,
        )
    except ValueError as error:
        raise UsageError(str(error)) from None


def _no_progress(kernel: str, groups: int) -> None:
    """Shows no progress bar, which would disturb the output of debugger and trace."""


# Analysis ------------------------------------------------------------------------------------------------------------


def _tracer(options: RunOptions, stack: ExitStack) -> InstructionTracer:
    output = sys.stdout
    if options.trace_output is not None and options.trace_output != STANDARD_STREAM:
        try:
            output = stack.enter_context(Path(options.trace_output).open("w", encoding="utf-8"))  # noqa: SIM115 - it is
        except (OSError, ValueError) as error:
            raise CommandError(f"cannot be written: {reason(error)}", options.trace_output) from None
    try:
        selected = TraceFilter.parse(options.trace) if options.trace else TraceFilter()
    except ValueError as error:
        raise UsageError(f"--trace: {error}") from None
    limit = options.trace_limit or DEFAULT_LIMIT
    return InstructionTracer(output.write, selected, as_json=options.trace_json, limit=limit)


def _debug(debugger: Debugger, launch: Run, places: Sequence[str]) -> bool:
    """Runs the launch in the debugger, with commands from standard input. Returns whether it did not fail."""
    is_terminal = sys.stdin.isatty()
    shell = Shell(debugger, launch, None if is_terminal else sys.stdin, is_script=not is_terminal)
    with debugger:
        try:
            shell.start(places)
        except DebugError as error:
            raise UsageError(f"--break: {error}") from None
        shell.cmdloop()
    last = shell.last
    return last is None or last.reason is not StopReason.END or last.error is None


# Results -------------------------------------------------------------------------------------------------------------


def _summarize(launches: Sequence[LaunchResult]) -> None:
    for result in launches:
        counts = f"{result.groups} work-groups, {result.threads} subgroups, {result.instructions} instructions"
        print(f"{result.kernel}: {counts}, {result.seconds:.3g} s", file=sys.stderr)


def _show_profiles(launches: Sequence[LaunchResult], files: Sequence[str]) -> None:
    """Writes profiles to files, or to standard output for `-`; several launches go to numbered files."""
    profiles = [result.profile for result in launches if result.profile is not None]
    for file in files:
        for number, profile in enumerate(profiles):
            if file == "-":
                print(rendered(profile, file), end="")
            else:
                _write_profile(profile, file if len(profiles) == 1 else _numbered(file, number))


def _numbered(file: str, number: int) -> str:
    """Returns `a.0.json` for `a.json`."""
    path = Path(file)
    stem, dot, endings = path.name.partition(".")
    return str(path.with_name(f"{stem}.{number}{dot}{endings}"))


def _write_profile(profile: Profile, file: str) -> None:
    try:
        write_profile(profile, file)
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot be written: {reason(error)}", file) from None


def _show_results(arguments: ArgumentList, options: RunOptions) -> bool:
    """Prints and writes the selected arguments. Returns whether all are as expected."""
    for selected in options.print:
        name, array = arguments.array(selected)
        shape = "x".join(map(str, (*array.shape, array.dtype)))
        print(f"{name}: {shape}\n{np.array2string(array, threshold=1000)}")
    for selection in options.out:
        _save(selection.text, arguments.array(selection.argument)[1])
    is_good = True
    for selection in options.expect:
        for line in _compare(arguments, selection, options):
            is_good = False
            print(line, file=sys.stderr)
    return is_good


def _compare(arguments: ArgumentList, selection: ArgumentSelection, options: RunOptions) -> Iterator[str]:
    name, array = arguments.array(selection.argument)
    expected = parse_value(selection.text, memory_limit(options))
    if not isinstance(expected, np.ndarray):
        raise UsageError(f"--expect {selection.argument}: '{selection.text}' is not an array")
    if expected.dtype.kind == "V":
        expected = as_type(expected, array.dtype, f"expected '{name}'")
    try:
        yield from differences(name, array, expected, Tolerance(options.rtol, options.atol))
    except ValueError as error:
        raise CommandError(str(error)) from None


def _save(path: str, array: Array) -> None:
    with replaced(path) as file:
        np.save(file, array, allow_pickle=False)
