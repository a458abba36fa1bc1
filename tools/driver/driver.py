"""The work of `xegpu-driver`."""

from __future__ import annotations

import os
import shlex
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path

from runtime.driver import Settings
from runtime.driver.library import DriverBuildError, LibraryKind, build
from tools.cli import CommandError, reason
from tools.driver.command import DriverOptions

_LIBRARY_PATH = "LD_LIBRARY_PATH"


def run(options: DriverOptions) -> int:
    """Executes the command line and returns 0; `run` becomes the program.

    Raises:
        CommandError: The library cannot be built, or the program cannot be started.
    """
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
    return dict((*_library_variables(options, library, environment), *_settings(options).variables()))


def _library_variables(
    options: DriverOptions, library: Path, environment: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    if options.stand_in:
        yield _LIBRARY_PATH, os.pathsep.join(filter(None, (str(library.parent), environment.get(_LIBRARY_PATH))))
    else:
        yield "ZE_ENABLE_ALT_DRIVERS", str(library)


def _settings(options: DriverOptions) -> Settings:
    log = options.log or ("-" if options.check else None)
    return Settings(options.device, options.check, log)


def _become(program: list[str], environment: Mapping[str, str]) -> None:
    """Replaces this process by a program, which gets back the signals that Python ignores."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvpe(program[0], program, dict(environment))
    except OSError as error:
        raise CommandError(f"cannot be started: {reason(error)}", program[0]) from None
