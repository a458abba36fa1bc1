"""Printing modules as MLIR does."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, MemRefType, UnrankedMemRefType, i64
from xdsl.ir import Attribute, Operation
from xdsl.printer import Printer
from xdsl.syntax_printer import SyntaxPrinter

_DEFAULT_DIALECTS: Mapping[str | None, str] = {None: "builtin", "builtin.module": "builtin", "func.func": "func"}
"""The dialect whose name is left out directly inside of an op (None: outside of all ops)."""

_HOLDERS = (ArrayAttr, MemRefType, UnrankedMemRefType)
"""Attributes that hold 64-bit integers without saying so."""


class MLIRPrinter(Printer):
    """xDSL's printer, changed to leave out everything that MLIR leaves out.

    These are the names of default dialects (`module`, and `return` in a `func.func`) and the type of 64-bit integers in
    lists and memory spaces (`[0, 1]`, `memref<8xf32, 3>`). Dictionaries are sorted by name.
    """

    _pending: tuple[str, str] | None = None
    """Name of the op whose name comes next, and the text printed in its place."""

    _holder: Attribute | None = None
    """The attribute that is being printed, and may hold others."""

    def print_op(self, op: Operation) -> None:
        parent = op.parent_op()
        default = _DEFAULT_DIALECTS.get(None if parent is None else parent.name)
        if default is not None and not self.print_generic_format:
            dialect, _, mnemonic = op.name.partition(".")
            self._pending = (op.name, mnemonic) if dialect == default and "." not in mnemonic else None
        super().print_op(op)

    def print_string(self, text: str, *, indent: int | None = None) -> None:
        if self._pending is not None and text == self._pending[0]:
            text, self._pending = self._pending[1], None
        super().print_string(text, indent=indent)

    def print_attribute(self, attribute: Attribute) -> None:
        holder, self._holder = self._holder, attribute
        if isinstance(attribute, IntegerAttr) and attribute.type == i64 and isinstance(holder, _HOLDERS):
            self.print_string(str(attribute.value.data))
        else:
            super().print_attribute(attribute)
        self._holder = holder

    def print_attr_dict(self, attr_dict: Mapping[str, Attribute]) -> None:
        super().print_attr_dict(dict(sorted(attr_dict.items())))


class MLIRSyntaxPrinter(MLIRPrinter, SyntaxPrinter):
    """The same in colors."""
