"""The sections of the instructions, made from the table, and the idioms."""

from __future__ import annotations

from collections.abc import Iterable

from xegpu.isa.document.idioms import IDIOMS
from xegpu.isa.document.markdown import bullets, indented, types_text
from xegpu.isa.formats.layouts import LAYOUTS, layout_name
from xegpu.isa.model.table import (
    GOTO_OPCODE,
    MESSAGE_OPCODE,
    SAMPLER_OPCODE,
    TABLE,
    Access,
    Extra,
    Format,
    Modifiers,
    OpSpec,
)
from xegpu.isa.model.types import PACKED_IMMEDIATES


def instructions() -> str:
    return "\n\n".join(_instruction(spec) for spec in TABLE)


def _instruction(spec: OpSpec) -> str:
    facts = [f"Opcode {spec.opcode:#04x}{_function(spec)}, layout {_layout(spec)}."]
    if spec.access is Access.ATOMIC:
        facts.append(f"memory = `{spec.semantics}`, in {types_text(spec.types)}.")
        return _section(spec, [*facts, _REFERENCES[spec.format]])
    if spec.semantics:
        facts.append(f"dst = `{spec.semantics}`.")
    if spec.carry:
        facts.append(f"Second destination, contiguous ud: `{spec.carry}`.")
    if spec.types:
        same = ", the same for all" if spec.same_types else ""
        facts.append(f"Source types: {types_text(set(spec.types) - PACKED_IMMEDIATES)}{_constants(spec)}{same}.")
    facts += [text for text in (_MODIFIERS[spec.modifiers], _REFERENCES.get(spec.format, "")) if text]
    return _section(spec, facts)


def _section(spec: OpSpec, facts: Iterable[str]) -> str:
    return "\n".join([f"### {spec.mnemonic}", "", spec.summary, "", f"    {_syntax(spec)}", "", *bullets(facts)])


def _function(spec: OpSpec) -> str:
    shared = spec.opcode in (MESSAGE_OPCODE, SAMPLER_OPCODE, GOTO_OPCODE) or spec.extra is Extra.FUNCTION
    return f", function {spec.function:#04x}" if shared else ""


def _layout(spec: OpSpec) -> str:
    names = dict.fromkeys(layout_name(spec, immediate) for immediate in (False, True))
    names = {name: None for name in names if name in LAYOUTS}
    return " or ".join(f"`{name}`" for name in names)


def _constants(spec: OpSpec) -> str:
    packed = set(spec.types) & PACKED_IMMEDIATES
    return f"; constants also {types_text(packed)}" if packed else ""


_MODIFIERS = {
    Modifiers.NONE: "",
    Modifiers.ARITHMETIC: "Source modifiers: `-`, `(abs)`.",
    Modifiers.LOGIC: "Source modifier: `~`.",
}
_REFERENCES = {
    Format.DPAS: "See [dpas](#dpas).",
    Format.MESSAGE: "See [Messages](#messages).",
    Format.IMAGE: "See [Images](#images).",
    Format.FENCE: "See [Fences](#fences).",
    Format.BARRIER: "See [Barriers](#barriers).",
    **dict.fromkeys((Format.BRANCH, Format.CALL, Format.INDIRECT_CALL, Format.RETURN), "See [Control](#control)."),
    **dict.fromkeys((Format.GOTO, Format.JOIN), "See [Divergence](#divergence)."),
}


def _syntax(spec: OpSpec) -> str:
    qualifier = ".0xNN" if spec.extra is Extra.TABLE else _QUALIFIERS[spec.format]
    parts = ["[(pred)]" if spec.predicate else "[(W)]", spec.mnemonic + qualifier]
    parts.append("(1|Moff)" if spec.block2d else _CHANNELS[spec.format])
    if spec.condition:
        parts.append(_CONDITIONS.get(spec.mnemonic, "[(cond)flag]"))
    return " ".join(part for part in (*parts, *_operands(spec)) if part)


_CONDITIONS = {"cmp": "(cond)flag", "cmpn": "(cond)flag", "sel": "[(cond)]", "csel": "(cond)"}
"""Instructions that need a condition, or name no flag."""

_QUALIFIERS = {
    Format.ALU: "",
    Format.DPAS: ".8xRC",
    Format.MESSAGE: ".UNIT.SHAPE.aN[.L1.L3]",
    Format.IMAGE: ".UNIT.d32.CHANNELS.COORDINATES",
    Format.FENCE: ".UNIT.FLUSH.SCOPE",
    Format.BARRIER: "",
    **dict.fromkeys((Format.BRANCH, Format.GOTO, Format.JOIN, Format.CALL, Format.INDIRECT_CALL, Format.RETURN), ""),
    Format.PLAIN: "",
}


_CHANNELS = {
    Format.ALU: "(ES|Moff)",
    Format.DPAS: "(ES|M0)",
    Format.MESSAGE: "(ES|Moff)",
    Format.IMAGE: "(ES|Moff)",
    Format.FENCE: "(1|Moff)",
    Format.BARRIER: "",
    **dict.fromkeys((Format.BRANCH, Format.CALL, Format.INDIRECT_CALL, Format.RETURN), "(1|Moff)"),
    **dict.fromkeys((Format.GOTO, Format.JOIN), "(ES|M0)"),
    Format.PLAIN: "",
}


def _operands(spec: OpSpec) -> list[str]:
    match spec.format:
        case Format.ALU | Format.DPAS:
            destination = ("[(sat)]" if spec.saturate else "") + "dst"
            second = ["carry"] if spec.extra is Extra.CARRY else []
            return [destination, *second, *(f"src{index}" for index in range(spec.sources))]
        case Format.MESSAGE:
            address = "flat[rA]" if spec.block2d else "MODEL[rA[+offset]]"
            block = ["WxHxL"] if spec.block2d else []
            first = {Access.LOAD: ["dst"], Access.ATOMIC: ["dst"]}.get(spec.access or Access.STORE, [])
            return [*first, address, *(["src"] if spec.sources else []), *block]
        case Format.IMAGE:
            sampler = ["sampler[rT.S]"] if spec.sampler else []
            image = ["bss[rS.S][rA]", *sampler]
            return [*image, "src"] if spec.sources else ["dst", *image]
        case Format.FENCE:
            return []
        case Format.BARRIER:
            return ["src0"] if spec.sources else []
        case Format.BRANCH | Format.JOIN:
            return ["label"]
        case Format.GOTO:
            return ["join", "label"]
        case Format.CALL:
            return ["rN.S", "label"]
        case Format.INDIRECT_CALL:
            return ["rN.S", "rP.S"]
        case Format.RETURN:
            return ["rN.S"]
        case Format.PLAIN:
            return []


def idioms() -> str:
    return "\n\n".join(f"*{idiom.name}*: {idiom.meaning}\n\n{indented(idiom.text)}" for idiom in IDIOMS)
