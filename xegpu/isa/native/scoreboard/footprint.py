"""The bytes of registers that native instructions read and write, as sets of bits."""

from __future__ import annotations

from functools import cache

from xegpu.isa.native.encoding import codes
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.isa.native.layouts.opcodes import Part
from xegpu.isa.native.text.formatter import is_macro, signed, source_count
from xegpu.on_demand import dataclass
from xegpu.targets import Platform

_GENERAL_REGISTERS = 256
_REGISTERS_OF_A_KIND = 16
_ARCHITECTURE_STRIDE = 64
"""The bytes that the numbering of bytes keeps for an architecture register; none has more."""

ACCUMULATORS, FLAGS, ADDRESSES = 0x20, 0x30, 0x10
"""The numbers of the first accumulator, flag register and address register."""

_NO_STATE = frozenset({0x00, 0x40, 0xA0})
"""Architecture registers that nothing is waited for: null, channel enables, instruction pointer."""

_CONTROL = 0x80
"""The number of the control register."""

_ROWS_PER_STEP = 4
"""The bytes of a row of a factor of a matrix product, in each step."""


@dataclass(frozen=True)
class NativeFootprint:
    """The bytes that an instruction reads and writes: sets of bits, numbered by `place`.

    `accumulates` are the bytes read as the third matrix of a product. An indirect operand counts with its address only.
    """

    reads: int
    writes: int
    accumulates: int = 0


def place(platform: Platform, is_general: bool, register: int, byte: int = 0) -> int:
    """Returns the number of a byte: general registers come first, then those of the architecture."""
    if is_general:
        return register * platform.grf_bytes + byte
    return _GENERAL_REGISTERS * platform.grf_bytes + register * _ARCHITECTURE_STRIDE + byte


def name_of(platform: Platform, number: int) -> str:
    """Returns the name of the register that has a byte."""
    general = _GENERAL_REGISTERS * platform.grf_bytes
    if number < general:
        return f"r{number // platform.grf_bytes}"
    register = (number - general) // _ARCHITECTURE_STRIDE
    return f"{codes.ARCHITECTURE[register >> 4]}{register & 0xF}"


def span(first: int, size: int) -> int:
    """Returns the set of `size` bytes from `first` on."""
    return ((1 << size) - 1) << first


@cache
def architecture_bytes(platform: Platform, first: int) -> int:
    """Returns the bytes of the architecture registers of a kind, whose first has the number `first`."""
    return span(place(platform, False, first), _REGISTERS_OF_A_KIND * _ARCHITECTURE_STRIDE)


def is_predicated(instruction: NativeInstruction) -> bool:
    """Returns whether a flag decides which channels execute an instruction, or which operand they take."""
    return bool(instruction["predicate"]) and Part.PREDICATE in instruction.opcode.parts


def flag_read_by_predicate(instruction: NativeInstruction) -> int:
    """Returns the bytes of the flag that predicates an instruction."""
    return _flag_bytes(instruction) if is_predicated(instruction) else 0


def footprint(instruction: NativeInstruction) -> NativeFootprint:
    """Returns the bytes that an instruction reads and writes."""
    match instruction.opcode.form:
        case NativeForm.SEND:
            own = _message(instruction)
        case NativeForm.DPAS:
            own = _matrix_product(instruction)
        case NativeForm.SYNC | NativeForm.NOP | NativeForm.ILLEGAL:
            own = NativeFootprint(0, 0)
        case NativeForm.JUMP | NativeForm.BRANCH | NativeForm.CALL:
            own = _branch(instruction)
        case _:
            own = _computation(instruction)
    return NativeFootprint(own.reads | flag_read_by_predicate(instruction), own.writes, own.accumulates)


def _flag_bytes(instruction: NativeInstruction) -> int:
    """Returns the bytes of the flag with the bits of the channels."""
    channel = instruction["channel_offset"] * instruction.encoding.channels_per_offset
    first = 16 * instruction["flag_half"] + channel
    last = first + codes.EXEC_SIZES[instruction["exec_size"]] - 1
    start = place(instruction.platform, False, FLAGS + instruction["flag"], first // 8)
    return span(start, min(last, 31) // 8 - min(first, 31) // 8 + 1)


def _register(instruction: NativeInstruction, operand: str, size: int) -> int:
    """Returns `size` bytes from the start of an operand on; none for the null register."""
    is_general, register = bool(instruction[f"{operand}.file"]), instruction[f"{operand}.reg"]
    if not is_general and register in _NO_STATE:
        return 0
    return span(place(instruction.platform, is_general, register, instruction[f"{operand}.subreg"]), size)


# Computations --------------------------------------------------------------------------------------------------------


def _computation(instruction: NativeInstruction) -> NativeFootprint:
    """Returns the bytes of operands, and the control register, whose modes hold for all computations."""
    reads, writes = span(place(instruction.platform, False, _CONTROL), 4), _destination(instruction)
    if instruction["dst.indirect"]:
        reads |= _addresses(instruction, "dst", 1)
    for index in range(source_count(instruction)):
        reads |= _source(instruction, f"src{index}")
    mnemonic = instruction.opcode.mnemonic
    accumulator = _accumulator(instruction)
    if mnemonic in ("mach", "macl", "mac"):
        reads |= accumulator
    if mnemonic in ("addc", "subb", "mach") or instruction["acc_write"]:
        writes |= accumulator
    if is_macro(instruction) or _writes_flag(instruction):
        writes |= _flag_bytes(instruction)
    return NativeFootprint(reads, writes)


def _accumulator(instruction: NativeInstruction) -> int:
    """Returns the bytes of the accumulator that goes with an instruction."""
    size = 4 * codes.EXEC_SIZES[instruction["exec_size"]]
    return span(place(instruction.platform, False, ACCUMULATORS), size)


def _writes_flag(instruction: NativeInstruction) -> bool:
    """Returns whether the outcome of a condition is written: `sel` and `csel` only choose by it."""
    return Part.CONDITION in instruction.opcode.parts and bool(
        instruction["condition"] and instruction.opcode.mnemonic not in ("sel", "csel")
    )


def _type_bytes(instruction: NativeInstruction, operand: str) -> int:
    type = codes.operand_type(instruction.fields, instruction.opcode.form, operand)
    return codes.TYPE_BITS[type or "ud"] // 8


def _destination(instruction: NativeInstruction) -> int:
    if instruction["dst.indirect"]:
        return 0
    if "float" in instruction.fields:
        stride = instruction["dst.stride"] + 1
    else:
        stride = codes.STRIDES[instruction["dst.stride"]] or 1
    size, lanes = _type_bytes(instruction, "dst"), codes.EXEC_SIZES[instruction["exec_size"]]
    return _spread(_register(instruction, "dst", size), lanes, stride * size)


def _spread(element: int, count: int, stride: int) -> int:
    """Returns `count` copies of a set of bytes, each `stride` bytes behind the one before."""
    copies, reach = element, 1
    while reach < count:
        copies |= copies << min(reach, count - reach) * stride
        reach *= 2
    return copies


def _source(instruction: NativeInstruction, operand: str) -> int:
    """Returns the bytes of a source, or those of its addresses."""
    if instruction[f"{operand}.immediate"]:
        return 0
    lanes, size = codes.EXEC_SIZES[instruction["exec_size"]], _type_bytes(instruction, operand)
    horizontal = codes.STRIDES[instruction[f"{operand}.hstride"]]
    if "float" in instruction.fields:
        vertical = codes.VERTICAL_STRIDES_3.get(instruction[f"{operand}.vstride"], 0)
        if f"{operand}.vstride" not in instruction.fields:
            return _spread(_register(instruction, operand, size), lanes, horizontal * size)
        width = max(1, vertical // horizontal if horizontal else 1)
        width = min(width, lanes)
    else:
        width = min(codes.WIDTHS[instruction[f"{operand}.width"]], lanes)
        code = instruction[f"{operand}.vstride"]
        if instruction[f"{operand}.indirect"]:
            rows = lanes // width if code == instruction.encoding.indirect_rows else 1
            return _addresses(instruction, operand, rows)
        vertical = codes.VERTICAL_STRIDES.get(code, 0)
    row = _spread(_register(instruction, operand, size), width, horizontal * size)
    return _spread(row, lanes // width, vertical * size)


def _addresses(instruction: NativeInstruction, operand: str, count: int) -> int:
    """Returns the bytes of the address registers of an indirect operand."""
    return span(place(instruction.platform, False, ADDRESSES, 2 * instruction[f"{operand}.addr_reg"]), 2 * count)


# Branches, messages, matrix products ---------------------------------------------------------------------------------


def _branch(instruction: NativeInstruction) -> NativeFootprint:
    source = 0 if instruction["src0.immediate"] else _register(instruction, "src0", 8)
    returns = _register(instruction, "dst", 8) if "dst.reg" in instruction.fields else 0
    return NativeFootprint(source, returns)


def _bits(value: int, high: int, low: int) -> int:
    return value >> low & ((1 << high - low + 1) - 1)


def _message(instruction: NativeInstruction) -> NativeFootprint:
    """Returns the registers of a message; where a register holds the lengths, the first register of each part."""
    grf, descriptor = instruction.platform.grf_bytes, instruction["desc"]
    is_known = not instruction["desc.indirect"]
    returned = _bits(descriptor, 24, 20) if is_known else 1
    first = _bits(descriptor, 28, 25) if is_known else 1
    second = instruction["src1.length"] if "src1.length" in instruction.fields else 1
    reads = _register(instruction, "src0", first * grf) | _register(instruction, "src1", second * grf)
    address = place(instruction.platform, False, ADDRESSES)
    if instruction["desc.indirect"]:
        reads |= span(address, 4)
    if instruction["ex_desc.indirect"]:
        reads |= span(address + 4 * instruction["ex_desc.subreg"], 4)
    return NativeFootprint(reads, _register(instruction, "dst", returned * grf))


def _matrix_product(instruction: NativeInstruction) -> NativeFootprint:
    lanes, rows = codes.EXEC_SIZES[instruction["exec_size"]], instruction["repeat"] + 1
    steps = codes.DEPTHS[instruction["depth"]]
    result = _register(instruction, "dst", rows * lanes * _type_bytes(instruction, "dst"))
    third = _register(instruction, "src0", rows * lanes * _type_bytes(instruction, "src0"))
    wide = _register(instruction, "src1", steps * lanes * _ROWS_PER_STEP)
    rows_there = (rows + 1) // 2 if instruction.opcode.mnemonic == "dpasw" else rows
    tall = _register(instruction, "src2", rows_there * steps * _ROWS_PER_STEP)
    return NativeFootprint(third | wide | tall, result, third & ~(wide | tall))


def jump_distances(instruction: NativeInstruction) -> tuple[int, ...]:
    """Returns the distances in bytes to the places that a branch may go to."""
    if not instruction.opcode.is_branch:
        return ()
    return tuple(signed(instruction[name]) for name in ("jip", "uip") if name in instruction.fields)
