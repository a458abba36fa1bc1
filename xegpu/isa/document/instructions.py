"""The sections of the instructions, made from the table, and the idioms."""

from __future__ import annotations

from collections.abc import Iterable

from xegpu.isa.document.idioms import IDIOMS
from xegpu.isa.document.markdown import bullets, indented, types_text
from xegpu.isa.formats.spec import FORMATS
from xegpu.isa.model.table import TABLE, MemoryAccessKind, Modifiers, OpSpec
from xegpu.isa.model.types import PACKED_IMMEDIATES
from xegpu.targets import TARGETS


def instructions() -> str:
    return "\n\n".join(_instruction(spec) for spec in TABLE)


def _instruction(spec: OpSpec) -> str:
    facts = [f"Opcode {spec.opcode:#04x}{_function(spec)}, layout {_layout(spec)}."]
    if spec.access is MemoryAccessKind.ATOMIC:
        facts.append(f"memory = `{spec.semantics}`, in {types_text(spec.types)}.")
        return _section(spec, [*facts, _reference(spec)])
    if spec.semantics:
        facts.append(f"dst = `{spec.semantics}`.")
    if spec.carry:
        facts.append(f"Second destination, contiguous ud: `{spec.carry}`.")
    if spec.types:
        same = ", the same for all" if spec.same_types else ""
        facts.append(f"Source types: {types_text(set(spec.types) - PACKED_IMMEDIATES)}{_constants(spec)}{same}.")
    facts += [text for text in (_MODIFIERS[spec.modifiers], _reference(spec)) if text]
    return _section(spec, facts)


def _section(spec: OpSpec, facts: Iterable[str]) -> str:
    if spec.feature is not None:
        names = " and ".join(f"`{target.name}`" for target in TARGETS.values() if target.platform.has(spec.feature))
        facts = [*facts, f"Only on {names}."]
    return "\n".join([f"### {spec.mnemonic}", "", spec.summary, "", f"    {_syntax(spec)}", "", *bullets(facts)])


def _function(spec: OpSpec) -> str:
    layout = FORMATS[spec.format].layout(spec, False)
    return f", function {spec.function:#04x}" if layout is not None and "function" in layout else ""


def _layout(spec: OpSpec) -> str:
    format = FORMATS[spec.format]
    names = dict.fromkeys(format.layout_name(spec, immediate) for immediate in (False, True))
    return " or ".join(f"`{name}`" for name in names if name in format.layouts)


def _reference(spec: OpSpec) -> str:
    """Returns the link to the section that explains the format."""
    section = FORMATS[spec.format].section
    return f"See [{section}](#{section.lower()})." if section else ""


def _constants(spec: OpSpec) -> str:
    packed = set(spec.types) & PACKED_IMMEDIATES
    return f"; constants also {types_text(packed)}" if packed else ""


_MODIFIERS = {
    Modifiers.NONE: "",
    Modifiers.ARITHMETIC: "Source modifiers: `-`, `(abs)`.",
    Modifiers.LOGIC: "Source modifier: `~`.",
}


def _syntax(spec: OpSpec) -> str:
    syntax = FORMATS[spec.format].syntax(spec)
    control = "[(pred)]" if spec.predicate else "[(W)]"
    parts = (control, spec.mnemonic + syntax.qualifiers, syntax.channels, *syntax.operands)
    return " ".join(part for part in parts if part)


def idioms() -> str:
    return "\n\n".join(f"*{idiom.name}*: {idiom.meaning}\n\n{indented(idiom.text)}" for idiom in IDIOMS)
