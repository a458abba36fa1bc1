"""`python -m xegpu.isa.document` prints docs/isa.md: the prose of document.md, with tables made from the tables.

`{{name}}` in the template is replaced by what `PARTS[name]` returns.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from importlib.resources import files

from xegpu.isa.assembler import assemble, assemble_program
from xegpu.isa.disassembler import disassemble
from xegpu.isa.encoding import encode
from xegpu.isa.idioms import IDIOMS
from xegpu.isa.image_messages import COORDINATES
from xegpu.isa.instruction import EXECUTION_SIZES, Combination, IllegalInstruction
from xegpu.isa.layouts import (
    CHANNEL_OFFSETS,
    CONTROL,
    KINDS,
    LAYOUTS,
    STRIDES,
    VERTICAL_STRIDES,
    WIDTHS,
    Field,
    layout_name,
)
from xegpu.isa.message_validation import ATOMIC_DATA, GATHER_VECTORS, atomic_type, cache_text
from xegpu.isa.messages import (
    ARRAY_LENGTHS,
    CACHE_CONTROLS,
    VECTOR_SIZES,
    AddressModel,
    AddressSize,
    CacheControl,
    DataSize,
    Flush,
    Scope,
    Unit,
)
from xegpu.isa.operands import ARCHITECTURE, VXH, Immediate, RegisterFile
from xegpu.isa.program import VERSION
from xegpu.isa.semantics import PRIMITIVES
from xegpu.isa.surfaces import LAYOUTS as TEXELS
from xegpu.isa.surfaces import (
    SAMPLER_BYTES,
    SAMPLER_SIGNATURE,
    SHAPES,
    SURFACE_BYTES,
    SURFACE_SIGNATURE,
    Addressing,
    Border,
    ChannelType,
    Filter,
    Shape,
    Swizzle,
)
from xegpu.isa.table import (
    GOTO_OPCODE,
    MESSAGE_OPCODE,
    SAMPLER_OPCODE,
    TABLE,
    Access,
    Condition,
    Extra,
    Format,
    Modifiers,
    OpSpec,
)
from xegpu.isa.types import FLOATS, PACKED_IMMEDIATES, SUB_BYTE, DataType
from xegpu.isa.validation import check_dpas_types, operations_per_channel
from xegpu.targets import PVC, TARGETS, BlockLimits

EXAMPLE = """\
.isa 2.0
.grf 64
.reg acc = r32

    (W) mov (1|M0) r2.0<1>:d 4:d            // four steps
loop:
    dpas.8x8 (16|M0) acc:f acc:f r16:bf r24:bf
    (W) add (1|M0) (gt)f0.0 r2:d r2:d -1:d
    (W&f0.0) jmpi (1|M0) loop
    store_block2d.ugm.d32.a64 (1|M0) flat[r4] acc 16x8x1
    eot
"""

STRUCTURED = """\
do
    cmp (16|M0) (eq)f0.0 null:ud r2:ud 1:ud
    (f0.0) break (16|M0)
    and (16|M0) (ne)f0.0 null:ud r2:ud 1:ud
    (f0.0) if (16|M0)
        mad (16|M0) r2:ud r2:ud r4<0>:ud 1:uw
    else (16|M0)
        shr (16|M0) r2:ud r2:ud 1:ud
    endif (16|M0)
    add (16|M0) r3:ud r3:ud 1:ud
while (16|M0)
eot
"""
"""Each channel counts the steps until its number is 1."""

WORDS = (
    "(W&~f1.1) add (16|M16) (sat)r10.3<2>:d r11.0<1;1,0>:d 5:d",
    "dpas.8x8 (16|M0) r32.0:f null:f r22.0:bf r14.16:bf",
    "load_block2d.ugm.d16v.a64.ca.ca (1|M0) r20:8 flat[r4]:1 16x16x1",
)
"""Instructions whose encoding is shown."""


def page() -> str:
    """The whole page."""
    template = files("xegpu.isa").joinpath("document.md").read_text()
    text = re.sub(r"\{\{(\w+)\}\}", lambda match: PARTS[match[1]](), template)
    return text.replace("[[contents]]", _contents(text))


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def _types(types: Iterable[DataType]) -> str:
    return " ".join(t.text for t in sorted(types, key=lambda t: (t.is_float, t.bits, t.code)))


def _contents(text: str) -> str:
    titles = re.findall(r"^## (.+)$", text, re.MULTILINE)
    return " · ".join(f"[{title}](#{re.sub('[^a-z0-9]+', '-', title.lower())})" for title in titles)


# Machine and operands ------------------------------------------------------------------------------------------------


def _targets() -> str:
    rows: list[list[object]] = [
        ["GPU", *(t.title.partition(" (simulated")[0] for t in TARGETS.values())],
        ["bytes of a register", *(t.grf_bytes for t in TARGETS.values())],
        ["flag registers", *(t.flag_registers for t in TARGETS.values())],
        ["double precision", *(_yes(t.has_fp64) for t in TARGETS.values())],
        ["columns of a dpas", *(t.dpas.execution_size for t in TARGETS.values())],
        ["dpas on tf32", *(_yes(t.dpas.tf32) for t in TARGETS.values())],
        ["images and samplers", *(_yes(t.has_images) for t in TARGETS.values())],
        ["2-D block messages", *(_yes(t.block2d is not None) for t in TARGETS.values())],
        ["lanes that gathers are padded to", *(t.physical_simd_width for t in TARGETS.values())],
    ]
    return _table(["", *(f"`{name}`" for name in TARGETS)], rows)


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _conditions() -> str:
    signs = {"eq": "=", "ne": "!=", "gt": ">", "ge": ">=", "lt": "<", "le": "<="}
    meanings = {text: f"first {sign} second" for text, sign in signs.items()}
    meanings["un"] = "one of them is a NaN (floats only)"
    rows = [[f"`{c.text}`", meanings[c.text], c.code] for c in Condition]
    return _table(["Condition", "Holds if", "Code"], rows)


def _data_types() -> str:
    kinds = {t: t.kind.value for t in DataType}
    kinds |= {
        DataType.HF: "IEEE binary16",
        DataType.BF: "bfloat16: 8 exponent bits, 7 fraction bits",
        DataType.F: "IEEE binary32",
        DataType.DF: "IEEE binary64",
        DataType.TF32: "8 exponent bits, 10 fraction bits, in the upper 19 bits of a dword",
        DataType.V: "signed immediate vector",
        DataType.UV: "unsigned immediate vector",
        DataType.VF: "immediate vector of floats",
    }
    rows = [[f"`{t.text}`", t.bits, kinds[t], t.code] for t in sorted(DataType, key=lambda t: t.code)]
    return _table(["Type", "Bits", "Meaning", "Code"], rows)


def _nans() -> str:
    types = sorted(FLOATS, key=lambda t: (t.bits, t.code))
    return ", ".join(f"`{t.text}` {Immediate.of(float('nan'), t).bits:#x}" for t in types)


def _primitives() -> str:
    arguments = {1: "a", 2: "a, b", 3: "a, b, c"}
    return _table(
        ["Primitive", "Result"], [[f"`{name}({arguments[n]})`", text] for name, (n, text) in PRIMITIVES.items()]
    )


# Instructions --------------------------------------------------------------------------------------------------------


def _instructions() -> str:
    return "\n\n".join(_instruction(spec) for spec in TABLE)


def _instruction(spec: OpSpec) -> str:
    facts = [f"Opcode {spec.opcode:#04x}{_function(spec)}, layout {_layout(spec)}."]
    if spec.access is Access.ATOMIC:
        facts.append(f"memory = `{spec.semantics}`, in {_types(spec.types)}.")
        return _section(spec, [*facts, _REFERENCES[spec.format]])
    if spec.semantics:
        facts.append(f"dst = `{spec.semantics}`.")
    if spec.carry:
        facts.append(f"Second destination, contiguous ud: `{spec.carry}`.")
    if spec.types:
        same = ", the same for all" if spec.same_types else ""
        facts.append(f"Source types: {_types(set(spec.types) - PACKED_IMMEDIATES)}{_constants(spec)}{same}.")
    facts += [text for text in (_MODIFIERS[spec.modifiers], _REFERENCES.get(spec.format, "")) if text]
    return _section(spec, facts)


def _section(spec: OpSpec, facts: Iterable[str]) -> str:
    return "\n".join([f"### {spec.mnemonic}", "", spec.summary, "", f"    {_syntax(spec)}", "", *_list(facts)])


def _list(items: Iterable[str]) -> list[str]:
    return [f"* {item}" for item in items]


def _function(spec: OpSpec) -> str:
    shared = spec.opcode in (MESSAGE_OPCODE, SAMPLER_OPCODE, GOTO_OPCODE) or spec.extra is Extra.FUNCTION
    return f", function {spec.function:#04x}" if shared else ""


def _layout(spec: OpSpec) -> str:
    names = dict.fromkeys(layout_name(spec, immediate) for immediate in (False, True))
    names = {name: None for name in names if name in LAYOUTS}
    return " or ".join(f"`{name}`" for name in names)


def _constants(spec: OpSpec) -> str:
    packed = set(spec.types) & PACKED_IMMEDIATES
    return f"; constants also {_types(packed)}" if packed else ""


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


def _idioms() -> str:
    return "\n\n".join(f"*{idiom.name}*: {idiom.meaning}\n\n{_indented(idiom.text)}" for idiom in IDIOMS)


# dpas and messages ---------------------------------------------------------------------------------------------------


def _dpas_types() -> str:
    """One row for each pair of element types of B and A with the same results."""
    elements = [DataType.UB, DataType.B, *sorted(SUB_BYTE, key=lambda t: t.code)]
    groups = {"integers of 8, 4 or 2 bits, mixed at will": [(b, a) for b in elements for a in elements]}
    groups |= {t.text: [(t, t)] for t in (DataType.BF, DataType.HF, DataType.TF32)}
    rows = []
    for name, pairs in groups.items():
        widths = sorted({operations_per_channel(b, a) for b, a in pairs})
        results = [_results(pairs, target_name) for target_name in TARGETS]
        rows.append([name, _products(widths), " or ".join(str(8 * w) for w in widths), *results])
    return _table(["B, A", "OPS", "K", *(f"C, D on `{name}`" for name in TARGETS)], rows)


def _products(widths: Sequence[int]) -> str:
    return "4, or 8 if neither has 8 bits" if len(widths) > 1 else str(widths[0])


def _results(pairs: Sequence[tuple[DataType, DataType]], target_name: str) -> str:
    """The types that C and D may have for all the pairs; each may be any of them."""

    def legal(result: DataType) -> bool:
        try:
            for b, a in pairs:
                check_dpas_types(result, result, b, a, TARGETS[target_name])
        except IllegalInstruction:
            return False
        return True

    return " ".join(f"`{t.text}`" for t in DataType if legal(t)) or "-"


def _data_sizes() -> str:
    return ", ".join(f"`{size.text}`" for size in DataSize)


def _caches() -> str:
    def text(cache: CacheControl, access: Access) -> str:
        return f"`{cache_text(cache, access)}`" if cache in CACHE_CONTROLS[access.value] else "-"

    accesses = (Access.LOAD, Access.PREFETCH, Access.STORE, Access.ATOMIC)
    rows = [[c.code, *(text(c, access) for access in accesses)] for c in CacheControl]
    return _table(["Code", *(access.value.capitalize() for access in accesses)], rows)


def _atomics() -> str:
    def types(spec: OpSpec, unit: Unit) -> str:
        found = (atomic_type(spec, unit, size) for size in ATOMIC_DATA)
        return _types(type for type in found if type is not None) or "-"

    rows = [
        [f"`{spec.mnemonic}`", f"`{spec.semantics}`", types(spec, Unit.UGM), types(spec, Unit.SLM)]
        for spec in TABLE
        if spec.access is Access.ATOMIC
    ]
    return _table(["Instruction", "Memory becomes", "in `ugm`", "in `slm`"], rows)


def _gathers() -> str:
    return "; ".join(f"`{size.text}` with {_numbers(vectors)}" for size, vectors in GATHER_VECTORS.items())


def _numbers(values: Iterable[int]) -> str:
    return ", ".join(map(str, values))


def _blocks() -> str:
    assert PVC.block2d is not None
    forms = {
        "load, plain": PVC.block2d.load,
        "load, VNNI": PVC.block2d.load_vnni,
        "load, transposed": PVC.block2d.load_transposed,
        "store": PVC.block2d.store,
    }
    rows = [[f"{name}, `d{8 * size}`", *_limits(rule)] for name, rules in forms.items() for size, rule in rules.items()]
    return _table(["Form", "Width W", "Height H", "Count L", "W * L at most"], rows)


def _limits(rule: BlockLimits) -> list[str]:
    multiple = f", multiple of {rule.height_multiple}" if rule.height_multiple > 1 else ""
    heights = f"{rule.min_height} to {rule.max_height}" if rule.min_height < rule.max_height else str(rule.min_height)
    return [
        f"{rule.min_width} to {rule.max_width}",
        heights + multiple,
        _numbers(rule.counts),
        str(rule.max_row_elements),
    ]


# Images --------------------------------------------------------------------------------------------------------------


def _image_shapes() -> str:
    def size(limit: int, rank: int, shape: Shape) -> str:
        return "1" if shape.axes[rank] is None else f"1 to {limit}"

    rows = []
    for type, shape in SHAPES.items():
        axes = ", ".join(
            f"{'layer' if shape.is_array and axis == 'z' else axis} = {'uvr'[number]}"
            for axis, number in zip("xyz", shape.axes, strict=True)
            if number is not None
        )
        sizes = (size(limit, rank, shape) for rank, limit in enumerate(shape.limits))
        rows.append([type.value, f"`{type.name}`", axes, *sizes])
    return _table(["Type", "Name", "Coordinates", "Width", "Height", "Depth"], rows)


def _image_layouts() -> str:
    rows = [
        [number, layout.text, layout.texel_bytes, " ".join(f"`{t.name}`" for t in sorted(layout.types))]
        for number, layout in enumerate(TEXELS)
    ]
    return _table(["Layout", "Bits of R, G, B, A", "Bytes", "Channel types"], rows)


def _numbered(members: Iterable[IntEnum]) -> str:
    return ", ".join(f"{member.value} `{member.name}`" for member in members)


# Text and encoding ---------------------------------------------------------------------------------------------------


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())


def _example() -> str:
    listing = disassemble(assemble(EXAMPLE), offsets=True)
    return f"{_indented(EXAMPLE)}\n\nis disassembled, with offsets, as\n\n{_indented(listing)}"


def _structured() -> str:
    return f"{_indented(STRUCTURED)}\n\nbecomes\n\n{_indented(disassemble(assemble(STRUCTURED)))}"


def _layouts() -> str:
    extras = {f"{extra.value}{kind}" for extra in Extra if extra.value for kind in ("", "-immediate")}
    alu = {n: fields for n, fields in LAYOUTS.items() if n.startswith(Format.ALU.value) or n in extras}
    others = {name: fields for name, fields in LAYOUTS.items() if name not in alu and fields != CONTROL}
    parts = [
        f"All instructions begin with these fields; those without operands (`{Format.PLAIN.value}`) have no others.",
        _table(["Bits", "Field"], [[_bits(field), f"`{name}`"] for name, field in CONTROL.items()]),
        "ALU instructions by number of sources (`function`: one source, `table`: three, `carry`: two), without and "
        "with a constant as the last one:",
        _layout_table(alu),
    ]
    for name, fields in others.items():
        parts += [f"Layout `{name}`:", _layout_table({name: fields})]
    return "\n\n".join(parts)


def _layout_table(layouts: dict[str, dict[str, Field]]) -> str:
    """Bits of each field, a column for each layout; the fields that all instructions share are left out."""

    def order(name: str) -> tuple[str, int]:
        """By operand where layouts differ, then as the fields lie in the word."""
        operand = name.partition(".")[0] if len(layouts) > 1 else ""
        return operand, min(fields[name].lsb for fields in layouts.values() if name in fields)

    names = sorted(dict.fromkeys(n for fields in layouts.values() for n in fields if n not in CONTROL), key=order)
    rows = [
        [f"`{name}`", *(_bits(fields[name]) if name in fields else "" for fields in layouts.values())] for name in names
    ]
    return _table(["Field", *(f"`{name}`" for name in layouts)], rows)


def _bits(field: Field) -> str:
    return f"{field.lsb}" if field.width == 1 else f"{field.lsb + field.width - 1}:{field.lsb}"


def _codes() -> str:
    def listed(values: Iterable[object]) -> str:
        return "; ".join(f"{code}: {value}" for code, value in enumerate(values))

    def named(members: Iterable[Unit | DataSize | AddressSize | AddressModel | Flush | Scope]) -> str:
        return "; ".join(f"{member.code}: `{member.text}`" for member in members)

    rows = [
        ["exec_size", listed(EXECUTION_SIZES)],
        ["channel_offset", listed(CHANNEL_OFFSETS)],
        ["no_mask", "1: `(W)`"],
        [
            "predicate",
            "0: none; " + "; ".join(f"{c.code}: {f'`.{c.text}`' if c.text else 'plain'}" for c in Combination),
        ],
        ["inverted", "1: `~`"],
        ["flag, flag_half", "of predicate and condition modifier; 0 if there is neither"],
        ["condition", "0: none; else the code of the condition"],
        ["...file", "; ".join(f"{file.value}: {file.name.lower()}" for file in RegisterFile)],
        ["...register, ...byte", "number of the register, byte in it where the operand starts"],
        ["... of `arf`", f"register 0: `null`; {_architecture()}"],
        ["... of `indirect`", "both fields as one: word of a0 in bits 3:0, offset (two's complement) in bits 13:4"],
        ["...type", "code of the type"],
        ["...kind", "; ".join(f"{k}: {file.name.lower()}" for k, file in KINDS.items()) + "; 2: constant"],
        ["...stride, ...horizontal", listed(STRIDES) + " (0 not for a destination)"],
        ["...vertical", listed("VxH" if stride == VXH else stride for stride in VERTICAL_STRIDES)],
        ["...width", listed(WIDTHS)],
        ["...negate, ...absolute", "source modifiers"],
        ["...immediate", "bits of the constant, zero-extended; of 64-bit types they are in the following word"],
        ["...null", "1: there is no such operand (of a dpas: `null`), and its register is 0"],
        ["function", "number of a math function, or of a message's operation"],
        ["table", "truth table of `bfn`"],
        ["repeat", "RC - 1"],
        ["unit", named(Unit)],
        ["data_size", named(DataSize)],
        ["vector", listed(VECTOR_SIZES)],
        ["address_size", named(AddressSize)],
        ["model", named(AddressModel)],
        ["channels", "mask of components, x in the lowest bit"],
        ["coordinates", listed(f"`{text}`" for text in COORDINATES)],
        ["flush", named(Flush)],
        ["scope", named(Scope)],
        ["offset, target, join", "two's complement"],
        ["block.width, block.height", "W - 1, H - 1"],
        ["block.count", listed(ARRAY_LENGTHS)],
    ]
    return _table(["Field", "Values"], [[f"`{name}`", text] for name, text in rows])


def _architecture() -> str:
    return "; ".join(f"{number:#x}: `{register.text}`" for number, register in ARCHITECTURE.items())


def _words() -> str:
    lines = []
    for line in WORDS:
        word = encode(assemble_program(line).instructions[0])
        lines += [line, f"    {word.hex(' ', 4)}"]
    return "Three words, byte 0 first:\n\n" + _indented("\n".join(lines))


PARTS: dict[str, Callable[[], str]] = {
    "contents": lambda: "[[contents]]",  # known when everything else is in place
    "targets": _targets,
    "conditions": _conditions,
    "types": _data_types,
    "nans": _nans,
    "primitives": _primitives,
    "instructions": _instructions,
    "idioms": _idioms,
    "dpas_types": _dpas_types,
    "data_sizes": _data_sizes,
    "caches": _caches,
    "atomics": _atomics,
    "flushes": lambda: ", ".join(f"`{flush.text}`" for flush in Flush),
    "scopes": lambda: ", ".join(f"`{scope.text}`" for scope in Scope),
    "gathers": _gathers,
    "vectors": lambda: _numbers(VECTOR_SIZES),
    "message_bytes": lambda: _numbers(sorted({target.max_message_bytes for target in TARGETS.values()})),
    "blocks": _blocks,
    "coordinates": lambda: ", ".join(f"`{text}`" for text in COORDINATES),
    "surface_bytes": lambda: str(SURFACE_BYTES),
    "surface_signature": lambda: f"{SURFACE_SIGNATURE:#x}",
    "sampler_bytes": lambda: str(SAMPLER_BYTES),
    "sampler_signature": lambda: f"{SAMPLER_SIGNATURE:#x}",
    "channel_types": lambda: _numbered(ChannelType),
    "swizzles": lambda: _numbered(Swizzle),
    "addressings": lambda: _numbered(Addressing),
    "filters": lambda: _numbered(Filter),
    "borders": lambda: _numbered(Border),
    "image_shapes": _image_shapes,
    "image_layouts": _image_layouts,
    "example": _example,
    "structured": _structured,
    "version": lambda: f"{VERSION[0]}.{VERSION[1]}",
    "layouts": _layouts,
    "codes": _codes,
    "words": _words,
}

if __name__ == "__main__":
    sys.stdout.write(page())
