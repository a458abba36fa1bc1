"""Examples of text and of encoded words, the layouts, and the codes in their fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xegpu.isa.document.markdown import indented, table
from xegpu.isa.formats.codec import encode
from xegpu.isa.formats.parts.operands import KINDS, STRIDES, VERTICAL_STRIDES
from xegpu.isa.formats.parts.word import CHANNEL_OFFSETS, CONTROL, Field, Layout
from xegpu.isa.formats.spec import FORMATS, all_layouts
from xegpu.isa.model.image_messages import COORDINATES
from xegpu.isa.model.instruction import EXECUTION_SIZES, Combination
from xegpu.isa.model.messages import (
    ARRAY_LENGTHS,
    VECTOR_SIZES,
    AddressModel,
    AddressSize,
    DataSize,
    Flush,
    MemoryScope,
    Unit,
)
from xegpu.isa.model.operands import ARCHITECTURE, VXH, WIDTHS, RegisterFile
from xegpu.isa.model.table import InstructionFormat
from xegpu.isa.text.assembler import assemble, assemble_program
from xegpu.isa.text.disassembler import disassemble

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


def example() -> str:
    listing = disassemble(assemble(EXAMPLE), offsets=True)
    return f"{indented(EXAMPLE)}\n\nis disassembled, with offsets, as\n\n{indented(listing)}"


def structured() -> str:
    return f"{indented(STRUCTURED)}\n\nbecomes\n\n{indented(disassemble(assemble(STRUCTURED)))}"


def layouts() -> str:
    alu = FORMATS[InstructionFormat.ALU].layouts
    others = {name: layout for name, layout in all_layouts().items() if name not in alu and layout != CONTROL}
    parts = [
        "All instructions begin with these fields; those without operands "
        f"(`{InstructionFormat.PLAIN.value}`) have no others.",
        table(["Bits", "Field"], [[_bits(field), f"`{name}`"] for name, field in CONTROL.items()]),
        "ALU instructions by number of sources (`function`: one source, `table`: three, `carry`: two), without and "
        "with a constant as the last one:",
        _layout_table(alu),
    ]
    for name, fields in others.items():
        parts += [f"Layout `{name}`:", _layout_table({name: fields})]
    return "\n\n".join(parts)


def _layout_table(layouts: Mapping[str, Layout]) -> str:
    """Returns a table of the bits of each field, a column per layout, but for the fields that all layouts share."""

    def order(name: str) -> tuple[str, int]:
        """Returns the key to sort by: the operand where there are several layouts, then the lowest bit."""
        operand = name.partition(".")[0] if len(layouts) > 1 else ""
        return operand, min(fields[name].lsb for fields in layouts.values() if name in fields)

    names = sorted(dict.fromkeys(n for fields in layouts.values() for n in fields if n not in CONTROL), key=order)
    rows = [
        [f"`{name}`", *(_bits(fields[name]) if name in fields else "" for fields in layouts.values())] for name in names
    ]
    return table(["Field", *(f"`{name}`" for name in layouts)], rows)


def _bits(field: Field) -> str:
    return f"{field.lsb}" if field.width == 1 else f"{field.lsb + field.width - 1}:{field.lsb}"


def codes() -> str:
    def listed(values: Iterable[object]) -> str:
        return "; ".join(f"{code}: {value}" for code, value in enumerate(values))

    def named(members: Iterable[Unit | DataSize | AddressSize | AddressModel | Flush | MemoryScope]) -> str:
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
        ["scope", named(MemoryScope)],
        ["offset, target, join", "two's complement"],
        ["block.width, block.height", "W - 1, H - 1"],
        ["block.count", listed(ARRAY_LENGTHS)],
    ]
    return table(["Field", "Values"], [[f"`{name}`", text] for name, text in rows])


def _architecture() -> str:
    return "; ".join(f"{number:#x}: `{register.text}`" for number, register in ARCHITECTURE.items())


def words() -> str:
    lines = []
    for line in WORDS:
        word = encode(assemble_program(line).instructions[0])
        lines += [line, f"    {word.hex(' ', 4)}"]
    return "Three words, byte 0 first:\n\n" + indented("\n".join(lines))
