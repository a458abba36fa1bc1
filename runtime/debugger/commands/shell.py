"""The command loop of the debugger."""

from __future__ import annotations

import cmd
import re
from collections.abc import Callable, Sequence
from typing import IO

from runtime.debugger.commands.session import DebuggerSession
from runtime.debugger.commands.table import COMMANDS, NAMES, help_text
from runtime.debugger.control import KernelDebugger
from runtime.debugger.errors import DebugError
from runtime.debugger.stops import Stop, StopReason

PROMPT = "(xegpu) "

_COMMAND = re.compile(r"([A-Za-z]+)(.*)", re.DOTALL)


class Shell(cmd.Cmd):
    """Executes commands for a `Debugger` from a terminal or a script.

    `launch` starts the kernel; the command `run` calls it again. Commands are read from `commands` (None: the
    terminal), and output is written to `output` (None: standard output). With `is_script`, the commands are written to
    the output, too.
    """

    prompt = PROMPT

    def __init__(
        self,
        debugger: KernelDebugger,
        launch: Callable[[], object],
        commands: IO[str] | None = None,
        output: IO[str] | None = None,
        *,
        is_script: bool = False,
    ):
        super().__init__(stdin=commands, stdout=output)
        self.use_rawinput = commands is None
        self._session = DebuggerSession(debugger, launch, self.stdout.write)
        self._is_script = is_script
        if is_script:
            self.prompt = ""

    @property
    def last(self) -> Stop | None:
        """The last stop of the launch, which is its end if it has ended."""
        return self._session.last

    def start(self, locations: Sequence[str] = ()) -> None:
        """Starts the launch with breakpoints at `locations` (`LOCATION [if CONDITION]`); it stops at the first one.

        Without breakpoints it stops before its first instruction. Raises `DebugError` for an unknown location.
        """
        session = self._session
        stop = session.debugger.run(session.launch)
        if locations and stop.reason is not StopReason.END:
            for location in locations:
                session.add_breakpoint(location)
            stop = session.debugger.resume()
        session.show_stop(stop)

    def show(self, stop: Stop) -> None:
        """Shows a stop at which the commands begin."""
        self._session.show_stop(stop)

    def add_breakpoint(self, place: str) -> None:
        """Adds the breakpoint `LOCATION [if CONDITION]`, and shows it. Raises `DebugError`."""
        self._session.add_breakpoint(place)

    def cmdloop(self, intro: str | None = None) -> None:
        """Executes commands until one of them ends the loop. An interrupt at the prompt discards the line."""
        while True:
            try:
                super().cmdloop(intro)
                return
            except KeyboardInterrupt:
                self._session.print("")

    def onecmd(self, line: str) -> bool:
        """Executes one command; returns whether it was the last one."""
        line = line.strip()
        if self._is_script and line != "EOF":
            self._session.print(f"{PROMPT}{line}")
        if not line or line.startswith("#"):
            return False if line or self._is_script else self.emptyline()
        match = _COMMAND.fullmatch(line)
        name = "quit" if line == "EOF" else NAMES.get(match[1]) if match else None
        self.lastcmd = line
        if match is None or name is None:
            self._session.print(f"error: there is no command '{line.split()[0][:40]}', try help")
        elif name == "help":
            self._session.print(help_text())
        elif name == "quit":
            self._session.debugger.close()
            return True
        else:
            return self._obey(name, match[2].strip()) and name == "detach"
        return False

    def emptyline(self) -> bool:
        """Repeats the last command for an empty line of a terminal."""
        return self.onecmd(self.lastcmd) if self.lastcmd else False

    def completenames(self, text: str, *_: object) -> list[str]:
        """Returns the commands that begin with `text`."""
        return [name for name in (*COMMANDS, "help", "quit") if name.startswith(text)]

    def _obey(self, name: str, arguments: str) -> bool:
        """Executes a command; returns whether it could be done."""
        try:
            COMMANDS[name].run(self._session, arguments)
        except DebugError as error:
            self._session.print(f"error: {error}")
            return False
        return True
