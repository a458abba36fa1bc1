"""The interface between checks and the checker that runs them."""

from __future__ import annotations

from collections.abc import Callable

from runtime.simulator.checks.inspection.findings import Findings
from runtime.simulator.interpreter.observer import Execution

Inspection = Callable[[], Callable[[], None] | None]
"""Called before an instruction is executed; returns a function that is called afterwards, unless there is a fault."""


class Inspector:
    """One check during one launch; methods that are not overridden do nothing.

    The events are those of `Observer`. In addition `inspect` is called for each instruction of the program when it is
    first executed, and returns what to do at each execution.
    """

    def __init__(self, execution: Execution, findings: Findings):
        self.execution = execution
        self.findings = findings

    def inspect(self, index: int) -> Inspection | None:
        """Returns the inspection of instruction number `index`, None for none."""
        return None

    def group_started(self) -> None: ...

    def group_ended(self) -> None: ...

    def thread_started(self) -> None: ...

    def thread_resumed(self) -> None: ...

    def thread_suspended(self) -> None: ...

    def thread_ended(self) -> None: ...
