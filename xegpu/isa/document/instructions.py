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
    Extra,
    InstructionFormat,
    MemoryAccessKind,
    Modifiers,
    OpSpec,
)
from xegpu.isa.model.types import PACKED_IMMEDIATES


def instructions() -> str:
    return "\n\n".join(_instruction(spec) for spec in TABLE)


def _instruction(spec: OpSpec) -> str:
    facts = [f"Opcode {spec.opcode:#04x}{_function(spec)}, layout {_layout(spec)}."]
    if spec.access is MemoryAccessKind.ATOMIC:
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
    InstructionFormat.DPAS: "See [dpas](#dpas).",
    InstructionFormat.MESSAGE: "See [Messages](#messages).",
    InstructionFormat.IMAGE: "See [Images](#images).",
    InstructionFormat.FENCE: "See [Fences](#fences).",
    InstructionFormat.BARRIER: "See [Barriers](#barriers).",
    **dict.fromkeys(
        (InstructionFormat.BRANCH, InstructionFormat.CALL, InstructionFormat.INDIRECT_CALL, InstructionFormat.RETURN),
        "See [Control](#control).",
    ),
    **dict.fromkeys((InstructionFormat.GOTO, InstructionFormat.JOIN), "See [Divergence](#divergence)."),
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
    InstructionFormat.ALU: "",
    InstructionFormat.DPAS: ".8xRC",
    InstructionFormat.MESSAGE: ".UNIT.SHAPE.aN[.L1.L3]",
    InstructionFormat.IMAGE: ".UNIT.d32.CHANNELS.COORDINATES",
    InstructionFormat.FENCE: ".UNIT.FLUSH.SCOPE",
    InstructionFormat.BARRIER: "",
    **dict.fromkeys(
        (
            InstructionFormat.BRANCH,
            InstructionFormat.GOTO,
            InstructionFormat.JOIN,
            InstructionFormat.CALL,
            InstructionFormat.INDIRECT_CALL,
            InstructionFormat.RETURN,
        ),
        "",
    ),
    InstructionFormat.PLAIN: "",
}


_CHANNELS = {
    InstructionFormat.ALU: "(ES|Moff)",
    InstructionFormat.DPAS: "(ES|M0)",
    InstructionFormat.MESSAGE: "(ES|Moff)",
    InstructionFormat.IMAGE: "(ES|Moff)",
    InstructionFormat.FENCE: "(1|Moff)",
    InstructionFormat.BARRIER: "",
    **dict.fromkeys(
        (InstructionFormat.BRANCH, InstructionFormat.CALL, InstructionFormat.INDIRECT_CALL, InstructionFormat.RETURN),
        "(1|Moff)",
    ),
    **dict.fromkeys((InstructionFormat.GOTO, InstructionFormat.JOIN), "(ES|M0)"),
    InstructionFormat.PLAIN: "",
}


def _operands(spec: OpSpec) -> list[str]:
    match spec.format:
        case InstructionFormat.ALU | InstructionFormat.DPAS:
            destination = ("[(sat)]" if spec.saturate else "") + "dst"
            second = ["carry"] if spec.extra is Extra.CARRY else []
            return [destination, *second, *(f"src{index}" for index in range(spec.sources))]
        case InstructionFormat.MESSAGE:
            address = "flat[rA]" if spec.block2d else "MODEL[rA[+offset]]"
            block = ["WxHxL"] if spec.block2d else []
            first = {MemoryAccessKind.LOAD: ["dst"], MemoryAccessKind.ATOMIC: ["dst"]}.get(
                spec.access or MemoryAccessKind.STORE, []
            )
            return [*first, address, *(["src"] if spec.sources else []), *block]
        case InstructionFormat.IMAGE:
            sampler = ["sampler[rT.S]"] if spec.sampler else []
            image = ["bss[rS.S][rA]", *sampler]
            return [*image, "src"] if spec.sources else ["dst", *image]
        case InstructionFormat.FENCE:
            return []
        case InstructionFormat.BARRIER:
            return ["src0"] if spec.sources else []
        case InstructionFormat.BRANCH | InstructionFormat.JOIN:
            return ["label"]
        case InstructionFormat.GOTO:
            return ["join", "label"]
        case InstructionFormat.CALL:
            return ["rN.S", "label"]
        case InstructionFormat.INDIRECT_CALL:
            return ["rN.S", "rP.S"]
        case InstructionFormat.RETURN:
            return ["rN.S"]
        case InstructionFormat.PLAIN:
            return []


def idioms() -> str:
    return "\n\n".join(f"*{idiom.name}*: {idiom.meaning}\n\n{indented(idiom.text)}" for idiom in IDIOMS)
