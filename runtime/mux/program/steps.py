"""The steps of a module: what they say, and how they fail."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from passes.frontends.ir import IrError
from passes.frontends.mux import MuxIrError
from passes.frontends.spirv import SpirvError
from runtime.mux.context import Context
from runtime.mux.program.states import ModuleState
from runtime.mux.results import MuxError, Result
from xegpu.diagnostics import CompileError, Diagnostic, Severity, handling

NotifyCallback = Callable[[str, bytes], object]
"""Takes messages for the user, with data that belong to them (specification: `NotifyCallbackFn`)."""


@dataclass
class BuildLog:
    """The messages of a module (specification: the references `num_errors` and `log` of `createModule`)."""

    num_errors: int = 0
    text: str = ""

    def clear(self) -> None:
        """Forgets everything."""
        self.num_errors = 0
        self.text = ""


@dataclass(frozen=True)
class ModuleMessages:
    """Takes the messages of a module to its log, and to whoever wants to be told."""

    log: BuildLog
    callback: NotifyCallback | None

    def add(self, message: str, *, is_error: bool) -> None:
        """Appends a message as lines of their own."""
        self.log.num_errors += is_error
        self.log.text += message.rstrip("\n") + "\n"
        if self.callback is not None:
            self.callback(message, b"")

    def report(self, diagnostic: Diagnostic) -> None:
        """Appends what the compiler says."""
        text = "\n".join(map(str, (diagnostic, *diagnostic.notes)))
        self.add(text, is_error=diagnostic.severity is Severity.ERROR)


@dataclass(frozen=True)
class ModuleStep:
    """A step of a module, which fails with a result of its own."""

    failure: Result
    filename: str
    messages: ModuleMessages

    @contextmanager
    def holding(self, context: Context) -> Iterator[ModuleStep]:
        """Holds the lock; messages go to the log, and errors of the compiler become a result."""
        with context, handling(self.messages.report):
            try:
                yield self
            except CompileError as error:
                for diagnostic in error.diagnostics:
                    self.messages.report(diagnostic)
                raise MuxError(self.failure, str(error)) from error
            except (IrError, MuxIrError, SpirvError) as error:
                self.say(str(error))
                raise MuxError(self.failure, str(error)) from error
            except MemoryError as error:
                self.say("out of memory")
                raise MuxError(Result.OUT_OF_MEMORY, "not enough memory") from error

    def say(self, problem: str) -> None:
        """Adds an error about the whole module."""
        self.messages.add(f"{self.filename}: error: {problem}", is_error=True)

    def refuse(self, reason: str | None, result: Result | None = None) -> None:
        """Raises an error if there is a reason for one."""
        if reason is not None:
            self.say(reason)
            raise MuxError(result or self.failure, reason)

    def require(
        self, state: ModuleState, wanted: Collection[ModuleState], what: str, result: Result | None = None
    ) -> None:
        """Raises an error for a module that is not in one of some states."""
        if state not in wanted:
            names = " or ".join(sorted(each.value for each in wanted))
            self.refuse(f"a module that is {state.value} cannot be {what}: expected {names}", result)
