"""The page about the dialect, made from its operations, types and attributes.

`python -m xegpu.dialects.xegpu.documentation > docs/dialects/xegpu.md`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from inspect import getdoc

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, OptionalDef, OptOperandDef, VarOperandDef
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure

from xegpu.dialects.xegpu import XeGPU

EFFECTS = {Pure: "none", MemoryReadEffect: "reads memory", MemoryWriteEffect: "writes memory"}


def page() -> str:
    """The page as Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "<!-- Made by `python -m xegpu.dialects.xegpu.documentation`; change the doc strings instead. -->"
    yield "# The XeGPU dialect"
    yield ""
    yield "Tiles of memory, their loads and stores, matrix multiplication and barriers of Xe GPUs, with `sg_map`."
    yield ""
    yield "## Types and attributes"
    for attribute in sorted(XeGPU.attributes, key=lambda attribute: attribute.name):
        yield from _section(attribute.name, getdoc(attribute))
    operations = sorted(XeGPU.operations, key=lambda op: op.name)
    yield ""
    yield "## Operations"
    for op in operations:
        if _is_own(op):
            yield from _operation(op)
    yield ""
    yield "## Other names"
    yield ""
    for op in operations:
        if issubclass(op, IRDLOperation) and not _is_own(op):
            yield f"- `{op.name}`: {getdoc(op)}"
    yield ""
    yield "## Refused"
    yield ""
    yield "Operations of newer generations that have no counterpart here:"
    yield ""
    for op in operations:
        if not issubclass(op, IRDLOperation):
            yield f"- `{op.name}`: {getdoc(op)}."


def _is_own(op: type[Operation]) -> bool:
    """Whether `op` is an operation of the dialect, and not another name for one."""
    return issubclass(op, IRDLOperation) and op.get_irdl_definition().name == op.name


def _section(name: str, text: str | None) -> Iterator[str]:
    yield ""
    yield f"### `{name}`"
    yield ""
    yield text or ""


def _operation(op: type[Operation]) -> Iterator[str]:
    assert issubclass(op, IRDLOperation)
    definition = op.get_irdl_definition()
    yield from _section(op.name, getdoc(op))
    yield ""
    operands = [
        f"`{name}`{' (any number)' if isinstance(kind, VarOperandDef) and not isinstance(kind, OptOperandDef) else ''}"
        f"{' (optional)' if isinstance(kind, OptOperandDef) else ''}"
        for name, kind in definition.operands
    ]
    properties = [
        f"`{name}`{' (optional)' if isinstance(kind, OptionalDef) else ''}"
        for name, kind in sorted(definition.properties.items())
        if name != "operandSegmentSizes"
    ]
    yield from _row("Operands", operands)
    yield from _row("Attributes", properties)
    yield from _row("Results", [f"`{name}`" for name, _ in definition.results])
    effects = [text for trait, text in EFFECTS.items() if op.has_trait(trait)]
    yield from _row("Effects", effects or ["kept: never removed or merged"])


def _row(title: str, entries: Sequence[str]) -> Iterator[str]:
    if entries:
        yield f"- {title}: {', '.join(entries)}"


if __name__ == "__main__":
    print(page(), end="")
