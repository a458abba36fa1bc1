"""The work of `xegpu-driver`."""

from __future__ import annotations

import os
import shlex
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path

from runtime.driver import Settings
from runtime.driver.analysis import trace_filter
from runtime.driver.library import DriverBuildError, LibraryKind, build
from runtime.simulator.checks import parse_checks
from tools.cli import CommandError, UsageError, reason
from tools.driver.command import DriverOptions
from xegpu.targets import TARGETS

_LIBRARY_PATH = "LD_LIBRARY_PATH"

_NEWER_ADAPTER = "SYCL_UR_USE_LEVEL_ZERO_V2"

_ADAPTERS = (_NEWER_ADAPTER, "UR_LOADER_USE_LEVEL_ZERO_V2")
"""The variables that choose the adapter of the SYCL runtime, which takes the newer one if either is 1."""


def run(options: DriverOptions) -> int:
    """Executes the command line and returns 0; `run` becomes the program.

    Raises:
        UsageError: A name is unknown.
        CommandError: The library cannot be built, or the program cannot be started.
    """
    _check_names(options)
    try:
        kind = LibraryKind.STAND_IN if options.stand_in else LibraryKind.DRIVER
        library = build(kind, None if options.output is None else Path(options.output).absolute())
    except DriverBuildError as error:
        raise CommandError(str(error)) from None
    if options.action == "run":
        _become(options.program, os.environ | _variables(options, library, os.environ))
    elif options.action == "env":
        for name, value in _variables(options, library, os.environ).items():
            print(f"export {name}={shlex.quote(value)}")
    else:
        print(library)
    return 0


def _variables(options: DriverOptions, library: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Returns the variables of a program that uses the library."""
    return dict(
        (
            *_library_variables(options, library, environment),
            *_adapter_variables(environment),
            *_settings(options).variables(),
        )
    )


def _library_variables(
    options: DriverOptions, library: Path, environment: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    if options.stand_in:
        yield _LIBRARY_PATH, os.pathsep.join(filter(None, (str(library.parent), environment.get(_LIBRARY_PATH))))
    else:
        yield "ZE_ENABLE_ALT_DRIVERS", str(library)


def _adapter_variables(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yields the SYCL runtime's newer adapter, unless the user has chosen one.

    In a program in Python, the older one waits for the driver while it keeps Python's lock, which the driver needs.
    """
    if not any(name in environment for name in _ADAPTERS):
        yield _NEWER_ADAPTER, "1"


def _settings(options: DriverOptions) -> Settings:
    log = options.log or ("-" if options.check else None)
    profile, trace = (
        None if file is None else str(Path(file).absolute()) for file in (options.profile, options.trace_output)
    )
    return Settings(options.device, options.check, profile, options.trace, trace, log)


def _check_names(options: DriverOptions) -> None:
    """Raises `UsageError` for a name that the driver would refuse when the program begins."""
    try:
        parse_checks(options.check or "")
        if options.trace is not None:
            trace_filter(options.trace)
    except ValueError as error:
        raise UsageError(str(error)) from None
    for name in (options.device or "").split(","):
        if name.strip() and name.strip() not in TARGETS:
            raise UsageError(f"unknown device '{name.strip()}', expected {', '.join(TARGETS)}")


def _become(program: list[str], environment: Mapping[str, str]) -> None:
    """Replaces this process by a program, which gets back the signals that Python ignores."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvpe(program[0], program, dict(environment))
    except OSError as error:
        raise CommandError(f"cannot be started: {reason(error)}", program[0]) from None
