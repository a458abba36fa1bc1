"""The work of `xegpu-run`: gets a kernel, its arguments and a device together, runs it, and looks at the results."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from runtime import Device, Kernel, LaunchError, LaunchResult
from runtime.debugger import DebugError, Debugger, Shell, StopReason, Tracer
from runtime.simulator.interpreter.observer import Observer
from runtime.simulator.profile import Profile
from runtime.simulator.profile.output import rendered, write_profile
from tools.run.command_line import Options
from tools.run.comparison import Tolerance, differences
from tools.run.errors import RunError, UsageError
from tools.run.program import compile_text, input_name, is_binary, read_input, target_of
from tools.run.values import Array, Value, parse_value


def run(options: Options) -> int:
    """Does what the options ask for. Returns 0, or 1 if a result is not what is expected.

    Raises `RunError`, and `ZeError` for a kernel that cannot be run or fails.
    """
    data, name = read_input(options.file), input_name(options.file)
    target = target_of(data, options.target, name)
    if options.pipeline is not None and is_binary(data):
        raise UsageError("--pipeline compiles MLIR, and the file is a ZEBIN")
    with ExitStack() as stack:
        debugger = Debugger() if options.debug or options.breakpoints else None
        observers: list[Observer] = [] if debugger is None else [debugger]
        if options.trace is not None:
            observers.append(_tracer(options, stack))
        device = _device(options, target.name, observers)
        if not is_binary(data):
            data = compile_text(data, name, target, options.pipeline, kernel_is_named=options.kernel is not None)
        kernel = _choose(device.load(data), options.kernel, name)
        launch = _Launch(kernel, options)
        if debugger is None:
            launch()
        elif not _debug(debugger, launch, options.breakpoints):
            return 1
    if launch.result is None:
        print("xegpu-run: note: the kernel was not run to its end", file=sys.stderr)
        return 0
    if not options.quiet:
        _summarize(launch.result)
    if launch.result.profile is not None:
        _show_profile(launch.result.profile, options.profile)
    return _show_results(launch, options)


def _device(options: Options, target: str, observers: Sequence[Observer]) -> Device:
    engine = "interpreter" if observers else options.engine
    try:
        return Device(
            target,
            engine,
            options.threads,
            checks=options.check,
            observers=observers,
            time_limit=options.time_limit,
            memory_limit=options.memory_limit,
            profile=bool(options.profile),
            progress=_no_progress if observers else None,
        )
    except ValueError as error:
        raise UsageError(str(error)) from None


def _no_progress(kernel: str, groups: int) -> None:
    """A bar would be drawn across what the debugger and the trace show."""


def _choose(kernels: Mapping[str, Kernel], wanted: str | None, name: str) -> Kernel:
    known = ", ".join(map(repr, kernels)) or "none"
    if wanted is not None and wanted not in kernels:
        raise RunError(f"no kernel {wanted!r}, there are: {known}", name)
    if wanted is None and len(kernels) != 1:
        raise RunError(f"{len(kernels)} kernels ({known}), name one of them with -k", name)
    return kernels[wanted] if wanted is not None else next(iter(kernels.values()))


class _Launch:
    """A launch that can be made several times: arrays are then what they were at first.

    `values` are the arguments of the last launch, `result` is what it did, None before one has ended.
    """

    def __init__(self, kernel: Kernel, options: Options) -> None:
        self._kernel = kernel
        self._names = kernel.parameter_names
        if len(options.arg) != len(self._names):
            raise RunError(
                f"kernel '{kernel.name}' takes {len(self._names)} arguments, {len(options.arg)} are given with --arg: "
                f"{kernel.signature}"
            )
        self._initial = list(_values(options.arg, options.memory_limit or _physical_memory()))
        self.values: list[Value] = self._initial
        self.result: LaunchResult | None = None
        self._grid, self._group = options.grid, options.group
        self._keeps = bool(options.debug or options.breakpoints)
        for selected in (*(s.argument for s in (*options.out, *options.expect)), *options.print):
            self.array(selected)

    def __call__(self) -> LaunchResult:
        self.result = None
        if self._keeps:
            self.values = [value.copy() if isinstance(value, np.ndarray) else value for value in self._initial]
        try:
            launch = self._kernel[self._grid] if self._group is None else self._kernel[self._grid, self._group]
            self.result = launch(*self.values)
        except LaunchError as error:
            raise RunError(str(error)) from None
        return self.result

    def array(self, selected: str) -> tuple[str, Array]:
        """An argument by number or name: its name and what the last launch left in it. Raises `UsageError`."""
        names = dict(enumerate(self._names))
        number = int(selected) if selected.isascii() and selected.isdigit() and len(selected) < 10 else None
        index = number if number is not None else next((i for i, name in names.items() if name == selected), -1)
        if index not in names:
            raise UsageError(f"there is no argument '{selected[:80]}', the kernel is {self._kernel.signature}")
        value = self.values[index]
        if not isinstance(value, np.ndarray):
            raise UsageError(f"argument '{names[index]}' is no array")
        return names[index], value


def _values(texts: Sequence[str], limit: int) -> Iterator[Value]:
    """The arguments, which may take `limit` bytes together."""
    for text in texts:
        value = parse_value(text, limit)
        limit -= value.nbytes if isinstance(value, np.ndarray) else 0
        yield value


def _physical_memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


# Looking into it -----------------------------------------------------------------------------------------------------


def _tracer(options: Options, stack: ExitStack) -> Tracer:
    output = sys.stdout
    if options.trace_output is not None:
        try:
            output = stack.enter_context(Path(options.trace_output).open("w", encoding="utf-8"))  # noqa: SIM115 - it is
        except (OSError, ValueError) as error:
            raise RunError(f"cannot be written: {_reason(error)}", options.trace_output) from None
    return Tracer(output.write, options.trace, as_json=options.trace_json, limit=options.trace_limit)


def _debug(debugger: Debugger, launch: _Launch, places: Sequence[str]) -> bool:
    """Runs the launch in the debugger, with commands from standard input; whether it did not fail."""
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


def _summarize(result: LaunchResult) -> None:
    counts = f"{result.groups} work-groups, {result.threads} subgroups, {result.instructions} instructions"
    print(f"{result.kernel}: {counts}, {result.seconds:.3g} s", file=sys.stderr)


def _show_profile(profile: Profile, files: Sequence[str]) -> None:
    """Writes a profile to files, `-` is standard output."""
    for file in files:
        if file == "-":
            print(rendered(profile, file), end="")
            continue
        try:
            write_profile(profile, file)
        except (OSError, ValueError) as error:
            raise RunError(f"cannot be written: {_reason(error)}", file) from None


def _show_results(launch: _Launch, options: Options) -> int:
    for selected in options.print:
        name, array = launch.array(selected)
        shape = "x".join(map(str, (*array.shape, array.dtype)))
        print(f"{name}: {shape}\n{np.array2string(array, threshold=1000)}")
    for selection in options.out:
        _save(selection.text, launch.array(selection.argument)[1])
    tolerance, is_good = Tolerance(options.rtol, options.atol), True
    for selection in options.expect:
        name, array = launch.array(selection.argument)
        expected = parse_value(selection.text, options.memory_limit or _physical_memory())
        if not isinstance(expected, np.ndarray):
            raise UsageError(f"--expect {selection.argument}: '{selection.text}' is no array")
        for line in differences(name, array, expected, tolerance):
            is_good = False
            print(line, file=sys.stderr)
    return 0 if is_good else 1


def _save(path: str, array: Array) -> None:
    try:
        with Path(path).open("wb") as file:
            np.save(file, array, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise RunError(f"cannot be written: {_reason(error)}", path) from None


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
