"""The text of native instructions, in the syntax of Intel's assembler."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from xegpu.isa.native.encoding.codes import (
    ARCHITECTURE,
    DEPTHS,
    MACRO_REGISTERS,
    STRIDES,
    TYPE_BITS,
    UNITS,
    UNNUMBERED,
    UNTYPED,
    VERTICAL_STRIDES,
    VERTICAL_STRIDES_3,
    WIDTHS,
    conditions,
    functions,
    modifiers,
    operand_type,
)
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.encoding.scoreboard import scoreboard_texts
from xegpu.isa.native.layouts.forms import MACROS, NativeForm
from xegpu.isa.native.layouts.opcodes import Part
from xegpu.isa.native.text.boolean_functions import BOOLEAN_FUNCTIONS
from xegpu.isa.native.text.immediates import format_immediate

_MNEMONIC, _CONDITION = 8, 22
"""The columns of the mnemonic and of the condition."""

_COLUMNS = (33, 47, 65, 83)
"""The columns of destination and sources."""

_SEND_COLUMNS = (33, 42, 50, 58, 73)
_TARGET_COLUMNS = (45, 65)
_OPTIONS: Mapping[tuple[int, ...], tuple[int, ...]] = {
    _COLUMNS: (53, 53, 80, 82, 100),
    _SEND_COLUMNS: (94,) * 6,
    _TARGET_COLUMNS: (78, 78, 98),
}
"""The column of what stands in braces, by the columns and the number of the operands."""

TextColumns = tuple[tuple[int, ...], tuple[int, ...]]

_FORM_COLUMNS: Mapping[NativeForm, tuple[int, ...]] = {
    NativeForm.SYNC: _TARGET_COLUMNS,
    NativeForm.JUMP: _TARGET_COLUMNS,
    NativeForm.BRANCH: _TARGET_COLUMNS,
    NativeForm.SEND: _SEND_COLUMNS,
}

FLAG_OPTIONS: Mapping[str, str] = {
    "acc_write": "AccWrEn",
    "atomic": "Atomic",
    "breakpoint": "Breakpoint",
    "is_compact": "Compacted",
    "eot": "EOT",
    "ex_bso": "ExBSO",
    "serialize": "Serialize",
}
"""The words behind an instruction by field, in their order."""

TOKEN_SYNCS = frozenset({"allrd", "allwr"})
"""The functions of `sync` whose operand is a set of tokens."""

HALF_BITS = 16
"""The width of the immediates of three-source instructions, whatever their type."""

Label = Callable[[int], str]
"""Names the place at a distance from the instruction."""


def numeric_label(distance: int) -> str:
    """Returns the distance itself."""
    return str(distance)


def format_native(instruction: NativeInstruction, label: Label = numeric_label) -> str:
    """Returns an instruction as text; branches name their targets by `label`."""
    operands = list(native_operands(instruction, label))
    return arranged(
        columns_of(instruction.opcode.form), native_head(instruction), operands, native_options(instruction)
    )


def columns_of(form: NativeForm) -> TextColumns:
    """Returns the columns of operands, and those of options by the number of operands."""
    columns = _FORM_COLUMNS.get(form, _COLUMNS)
    return columns, _OPTIONS[columns]


def arranged(columns: TextColumns, head: str, operands: Sequence[str], options: str) -> str:
    """Returns the parts of an instruction as text. Listings of millions look the columns up once for each shape."""
    text = head
    for operand, column in zip(operands, columns[0], strict=False):
        text = text.ljust(column) + operand if len(text) < column else f"{text} {operand}"
    if not options:
        return text.rstrip()
    column = columns[1][len(operands)]
    return text.ljust(column) + options if len(text) < column else f"{text} {options}"


def native_head(instruction: NativeInstruction) -> str:
    """Returns what stands in front of the operands."""
    form = instruction.opcode.form
    text = _pad(_predicate(instruction), _MNEMONIC) + _mnemonic(instruction)
    if form not in (NativeForm.ILLEGAL, NativeForm.NOP, NativeForm.SYNC) and instruction.opcode.mnemonic != "jmpi":
        offset = instruction["channel_offset"] * instruction.encoding.channels_per_offset
        text += f" ({1 << instruction['exec_size']}|M{offset})"
    condition = _condition(instruction)
    if condition:
        text = _pad(text, _CONDITION) + condition
    return text


def _pad(text: str, column: int) -> str:
    """Returns text with spaces up to a column, at least one behind what is there."""
    return text.ljust(column) if len(text) < column else f"{text} "


def _flag(instruction: NativeInstruction) -> str:
    return f"f{instruction['flag']}.{instruction['flag_half']}"


def _predicate(instruction: NativeInstruction) -> str:
    parts = ["W"] if instruction["no_mask"] else []
    if instruction["predicate"] and Part.PREDICATE in instruction.opcode.parts:
        combination = instruction.encoding.predicates[instruction["predicate"]]
        parts.append(f"{'~' * instruction['inverted']}{_flag(instruction)}{'.' * bool(combination)}{combination}")
    return f"({'&'.join(parts)})" if parts else ""


def _condition(instruction: NativeInstruction) -> str:
    if is_macro(instruction):
        return f"(eo){_flag(instruction)}"
    if Part.CONDITION not in instruction.opcode.parts:
        return ""
    name = conditions(instruction.opcode.form)[instruction["condition"]]
    return f"({name}){_flag(instruction)}" if name else ""


def is_macro(instruction: NativeInstruction) -> bool:
    """Returns whether an instruction begins a division or a square root."""
    return instruction.opcode.form is NativeForm.MATH and instruction["function"] in MACROS


def _mnemonic(instruction: NativeInstruction) -> str:
    name, form = instruction.opcode.mnemonic, instruction.opcode.form
    match form:
        case NativeForm.SYNC | NativeForm.MATH:
            return f"{name}.{functions(instruction.encoding, form)[instruction['function']]}"
        case NativeForm.SEND:
            return f"{name}.{UNITS[instruction['unit']]}"
        case NativeForm.BFN:
            return f"{name}.({BOOLEAN_FUNCTIONS[instruction['table']]})"
        case NativeForm.DPAS:
            return f"{name}.{DEPTHS[instruction['depth']]}x{instruction['repeat'] + 1}"
        case NativeForm.BRANCH if instruction["back"]:
            return f"{name}.b"
        case _:
            return name


def native_options(instruction: NativeInstruction) -> str:
    """Returns what stands in braces, with them; nothing if there is nothing to say."""
    given = {**instruction.fields, "is_compact": instruction.is_compact}
    options = [word for field, word in FLAG_OPTIONS.items() if given.get(field)]
    scoreboard = scoreboard_texts(instruction.encoding, instruction.opcode.form)[instruction["scoreboard"]]
    options += [scoreboard] if scoreboard else []
    return f"{{{','.join(options)}}}" if options else ""


# Operands ------------------------------------------------------------------------------------------------------------


def native_operands(instruction: NativeInstruction, label: Label) -> Iterator[str]:
    """Yields the operands."""
    match instruction.opcode.form:
        case NativeForm.ILLEGAL | NativeForm.NOP:
            return
        case NativeForm.SYNC:
            yield _sync_operand(instruction)
        case NativeForm.JUMP | NativeForm.BRANCH:
            yield from _targets(instruction, label)
        case NativeForm.CALL:
            yield _register(instruction, "dst", 32)
            yield from _targets(instruction, label)
        case NativeForm.SEND:
            yield from _send_operands(instruction)
        case _:
            saturates = instruction["saturate"] and Part.SATURATE in instruction.opcode.parts
            yield ("(sat)" if saturates else "") + _destination(instruction)
            for index in range(source_count(instruction)):
                yield _source(instruction, f"src{index}")


def source_count(instruction: NativeInstruction) -> int:
    """Returns the number of sources."""
    if instruction.opcode.form is NativeForm.MATH:
        return 2 if "src1.immediate" in instruction.fields else 1
    return instruction.opcode.sources


def _sync_operand(instruction: NativeInstruction) -> str:
    if instruction["src0.immediate"]:
        if functions(instruction.encoding, NativeForm.SYNC)[instruction["function"]] not in TOKEN_SYNCS:
            return f"0x{instruction['src0.imm']:X}"
        tokens = (token for token in range(32) if instruction["src0.imm"] >> token & 1)
        return f"({','.join(f'${token}' for token in tokens)})"
    type = operand_type(instruction.fields, instruction.opcode.form, "src0")
    register = _register(instruction, "src0", _bits(type))
    return register if register.startswith("null") else f"{register}:{type}"


def _targets(instruction: NativeInstruction, label: Label) -> Iterator[str]:
    if instruction["src0.immediate"]:
        yield label(signed(instruction["jip"]))
    else:
        yield _register(instruction, "src0", 32)
    if "uip" in instruction.fields:
        yield label(signed(instruction["uip"]))


def signed(value: int, bits: int = 32) -> int:
    """Returns the number with a sign whose bits are `value`."""
    return (value ^ 1 << (bits - 1)) - (1 << (bits - 1))


def _send_operands(instruction: NativeInstruction) -> Iterator[str]:
    yield _register(instruction, "dst", None)
    second = _register(instruction, "src1", None)
    if "src1.length" in instruction.fields:
        second += f":{0 if second == 'null' else instruction['src1.length']}"
    yield _register(instruction, "src0", None)
    yield second
    if instruction["ex_desc.indirect"]:
        yield f"a0.{instruction['ex_desc.subreg']}"
    else:
        yield f"0x{instruction['ex_desc']:X}"
    yield "a0.0" if instruction["desc.indirect"] else f"0x{instruction['desc']:08X}"


def _destination(instruction: NativeInstruction) -> str:
    form = instruction.opcode.form
    type = operand_type(instruction.fields, form, "dst")
    if "dst.mme" in instruction.fields:
        return f"{_macro_register(instruction, 'dst')}:{type}"
    register = _register(instruction, "dst", _bits(type))
    if form is NativeForm.DPAS:
        return f"{register.removesuffix('.0')}:{type}"
    stride = instruction["dst.stride"] + 1 if "float" in instruction.fields else STRIDES[instruction["dst.stride"]]
    return f"{register}<{stride}>:{type}"


def _source(instruction: NativeInstruction, name: str) -> str:
    form = instruction.opcode.form
    type = operand_type(instruction.fields, form, name)
    if instruction[f"{name}.immediate"]:
        bits = instruction[f"{name}.imm"]
        if "float" in instruction.fields and _bits(type) > HALF_BITS:
            bits = signed(bits, HALF_BITS) if type in ("d", "q") else bits
        return f"{format_immediate(bits, type or '')}:{type}"
    has_modifiers = Part.MODIFIERS in instruction.opcode.parts
    modifier = modifiers(instruction.opcode)[instruction[f"{name}.modifier"]] if has_modifiers else ""
    if f"{name}.mme" in instruction.fields:
        return f"{modifier}{_macro_register(instruction, name)}:{type}"
    register = _register(instruction, name, _bits(type))
    if form is NativeForm.DPAS:
        return f"{register if name == 'src2' else register.removesuffix('.0')}:{type}"
    return f"{modifier}{register}<{_region(instruction, name)}>:{type}"


def _bits(type: str | None) -> int:
    return TYPE_BITS[type or "ub"]


def _region(instruction: NativeInstruction, name: str) -> str:
    horizontal = STRIDES[instruction[f"{name}.hstride"]]
    if "float" in instruction.fields:
        vertical = instruction.fields.get(f"{name}.vstride")
        return str(horizontal) if vertical is None else f"{VERTICAL_STRIDES_3[vertical]};{horizontal}"
    width = WIDTHS[instruction[f"{name}.width"]]
    vertical = instruction[f"{name}.vstride"]
    if vertical == instruction.encoding.indirect_rows:
        return f"{width},{horizontal}"
    return f"{VERTICAL_STRIDES[vertical]};{width},{horizontal}"


def _macro_register(instruction: NativeInstruction, name: str) -> str:
    return f"{_register(instruction, name, None)}.{MACRO_REGISTERS[instruction[f'{name}.mme']]}"


def _register(instruction: NativeInstruction, name: str, bits: int | None) -> str:
    """Returns the name of a register; `bits` is the unit in which its part is counted, None names no part."""
    if instruction[f"{name}.indirect"]:
        offset = signed(instruction[f"{name}.addr_offset"], instruction.encoding.address_bits)
        return f"r[a0.{instruction[f'{name}.addr_reg']}{f',{offset}' if offset else ''}]"
    number, byte = instruction[f"{name}.reg"], instruction[f"{name}.subreg"]
    if instruction[f"{name}.file"]:
        return f"r{number}" if bits is None else f"r{number}.{byte * 8 // bits}"
    register = ARCHITECTURE[number >> 4]
    part = byte // instruction.encoding.untyped_unit if register in UNTYPED else byte * 8 // (bits or 8)
    if register in UNNUMBERED:
        return f"{register}.{part}" if part and bits is not None else register
    text = f"{register}{number & 15}"
    first = instruction.encoding.first_macro_register
    if first is not None and number >> 3 == first >> 3:
        text = f"mme{number & 7}"
    return text if bits is None else f"{text}.{part}"
