"""Prints a module before and after passes, as `mlir-opt` does."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from io import StringIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xegpu.dialects.printer import MLIRPrinter


@dataclass(frozen=True)
class PassSelection:
    """The passes around which the module is printed: all of them, or those with these names."""

    all: bool = False
    names: Collection[str] = ()

    def __contains__(self, step: ModulePass) -> bool:
        return self.all or step.name in self.names


@dataclass
class IRPrinting:
    """Prints modules to standard error, under headings such as `IR Dump After XeCsePass (xe-cse)`.

    With `only_changes`, a module is printed after a pass only if its text has changed; with `after_failure`, after any
    pass that fails.
    """

    before: PassSelection = field(default_factory=PassSelection)
    after: PassSelection = field(default_factory=PassSelection)
    only_changes: bool = False
    after_failure: bool = False
    generic: bool = False
    debuginfo: bool = False

    def around(self, step: ModulePass, module: ModuleOp, run: Callable[[], None]) -> None:
        """Runs a pass, and prints what the selections ask for."""
        is_compared = self.only_changes and step in self.after
        text = self._text(module) if is_compared or step in self.before else ""
        if step in self.before:
            _show("Before", step, text)
        try:
            run()
        except Exception:
            if self.after_failure:
                _show("After", step, self._text(module), " Failed")
            raise
        if step in self.after:
            new = self._text(module)
            if not is_compared or new != text:
                _show("After", step, new)

    def _text(self, module: ModuleOp) -> str:
        stream = StringIO()
        printer = MLIRPrinter(stream=stream, print_generic_format=self.generic, print_debuginfo=self.debuginfo)
        printer.print_op(module)
        return stream.getvalue()


def _show(when: str, step: ModulePass, text: str, outcome: str = "") -> None:
    print(f"// -----// IR Dump {when} {type(step).__name__}{outcome} ({step.name}) //----- //", file=sys.stderr)
    print(text, end="\n\n\n", file=sys.stderr)
