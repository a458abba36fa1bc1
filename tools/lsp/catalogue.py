"""Facts about dialects for editors: their names, operations, types, attributes and their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Dialect, Operation
from xdsl.irdl import IRDLOperation
from xdsl.traits import SymbolOpInterface

from xegpu.dialects import DIALECTS, dialects
from xegpu.dialects.documentation import attribute_lines, form_of, heading, operation, sigil


class Catalogue:
    """Everything that has a name in MLIR text. Dialects are loaded when they are first asked for."""

    @cached_property
    def names(self) -> Sequence[str]:
        """The names of all dialects."""
        return sorted(dialects())

    def operations(self, prefix: str) -> dict[str, type[Operation]]:
        """Returns the operations of a dialect by their whole names; none of an unknown one."""
        dialect = _load(prefix)
        return {} if dialect is None else {op.name: op for op in dialect.operations}

    def attributes(self, prefix: str, mark: str) -> dict[str, type[Attribute]]:
        """Returns the attributes (`#`) or types (`!`) of a dialect by their whole names without the mark."""
        dialect = _load(prefix)
        if dialect is None:
            return {}
        return {attribute.name: attribute for attribute in dialect.attributes if sigil(attribute) == mark}

    def operation(self, name: str) -> type[IRDLOperation] | None:
        """Returns the operation of a name, of another name the one that it is read as, of a refused one none."""
        found = self.operations(name.partition(".")[0])
        op = found.get(name)
        if op is None or not issubclass(op, IRDLOperation):
            return None
        read_as = found.get(op.get_irdl_definition().name, op)
        return read_as if issubclass(read_as, IRDLOperation) else None

    def attribute(self, name: str, mark: str) -> type[Attribute] | None:
        """Returns the attribute or type of a name."""
        return self.attributes(name.partition(".")[0], mark).get(name)

    def values(self, name: str) -> Sequence[str]:
        """Returns the words that an attribute may hold, if it is an enumeration."""
        attribute = self.attribute(name, "#")
        return [*attribute.enum_type] if attribute is not None and issubclass(attribute, EnumAttribute) else []

    def defines_symbol(self, name: str) -> bool:
        """Returns whether operations of this name define symbols."""
        op = self.operation(name)
        return op is not None and op.has_trait(SymbolOpInterface, value_if_unregistered=False)

    def operation_page(self, name: str) -> str | None:
        """Returns the documentation of an operation, as on the page of its dialect, in Markdown."""
        op = self.operation(name)
        if op is None:
            return None
        # The constraints of dialects that are only xDSL's have no words.
        section = operation if name.partition(".")[0] in DIALECTS else heading
        return _page(section(f"`{op.name}`", [op], form_of(op)))

    def attribute_page(self, name: str, mark: str) -> str | None:
        """Returns the documentation of an attribute or type, as on the page of its dialect, in Markdown."""
        attribute = self.attribute(name, mark)
        return None if attribute is None else _page(attribute_lines(attribute))


def _page(lines: Iterator[str]) -> str:
    return "\n".join(lines).strip()


@cache
def _load(prefix: str) -> Dialect | None:
    known = dialects()
    return known[prefix]() if prefix in known else None
