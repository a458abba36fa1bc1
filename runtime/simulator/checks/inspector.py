"""What a check is to the checker that runs it."""

from __future__ import annotations

from collections.abc import Callable

from runtime.simulator.checks.findings import Findings
from runtime.simulator.interpreter.observer import Execution

Inspection = Callable[[], Callable[[], None] | None]
"""Called before an instruction is executed; what it returns is called when it has been, which a fault prevents."""


class Inspector:
    """One check during one launch; a method that is not overridden does nothing.

    The events are those of `Observer`, and for each instruction of the program, when it is first executed, `inspect`
    says what to do at each execution.
    """

    def __init__(self, execution: Execution, findings: Findings):
        self.execution = execution
        self.findings = findings

    def inspect(self, index: int) -> Inspection | None:
        """What to do at instruction number `index`; None for nothing."""
        return None

    def group_started(self) -> None: ...

    def group_ended(self) -> None: ...

    def thread_started(self) -> None: ...

    def thread_resumed(self) -> None: ...

    def thread_suspended(self) -> None: ...

    def thread_ended(self) -> None: ...
