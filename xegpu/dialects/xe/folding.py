"""Constant folding of `xe` instructions: known contents of registers, and integer instructions on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.ir import SSAValue

from xegpu.dialects.xe.ops import AluOp, has_operand
from xegpu.dialects.xe.ops.attributes import ImmediateAttr, Read
from xegpu.isa.model import INTEGERS, PACKED_IMMEDIATES, DataType, Extra, Immediate

_FUNCTIONS: Mapping[str, Callable[[int, int, int], int]] = {
    "add": lambda a, b, bits: a + b,
    "mul": lambda a, b, bits: a * b,
    "and": lambda a, b, bits: a & b,
    "or": lambda a, b, bits: a | b,
    "xor": lambda a, b, bits: a ^ b,
    "shl": lambda a, b, bits: a << b % bits,
}
"""Integer instructions whose low bits depend on the low bits of their sources only, with the width of the type."""

QUOTIENTS: Mapping[str, Callable[[int, int], int]] = {"div": lambda a, b: a // b, "mod": lambda a, b: a % b}
"""Instructions on numbers without a sign, whose divisor is not zero."""

COMMUTATIVE = frozenset({"add", "mul", "and", "or", "xor"})
ASSOCIATIVE = COMMUTATIVE
NEUTRAL: Mapping[str, int] = {"add": 0, "mul": 1, "or": 0, "xor": 0, "shl": 0, "shr": 0, "asr": 0}
"""The last source that makes an instruction of one integer type a copy of its first."""

_FLAG = 1
"""The position of the predicate among the operands of an instruction of the ALU."""


def is_plain(op: AluOp) -> bool:
    """Returns whether an instruction only writes its result, for all its channels and under any execution mask."""
    present = op.properties
    return (
        "no_mask" in present
        and "write" in present
        and "condition" not in present
        and "saturate" not in present
        and op.SPEC.extra is not Extra.CARRY
        and not has_operand(op, _FLAG)
    )


def is_integer_op(op: AluOp) -> bool:
    """Returns whether all types of an instruction are one integer type, and no source has a modifier."""
    if (write := op.write) is None or (type := write.data.type) not in INTEGERS:
        return False
    for attribute in op.reads.data:
        read = attribute.data
        if read.type is not type or (isinstance(read, Read) and (read.negate or read.absolute)):
            return False
    return True


def written_bytes(op: AluOp) -> int:
    """Bytes from the start of its result that an instruction writes without gaps; 0 if it starts elsewhere."""
    if op.write is None:
        return 0
    write, size = op.write.data, op.exec_size.value.data
    return size * write.type.size if write.offset == 0 and (write.stride == 1 or size == 1) else 0


def known(value: SSAValue, read: Read, channels: int) -> Immediate | None:
    """The immediate that a source reads in every channel, if an instruction put one there."""
    op = value.owner
    if not isinstance(op, AluOp) or op.SPEC.mnemonic != "mov" or not is_plain(op) or op.write is None:
        return None
    (source,) = op.reads
    type = op.write.data.type
    if not isinstance(source, ImmediateAttr) or source.data.type in PACKED_IMMEDIATES:
        return None
    constant = converted(source.data, type)
    span = read.region.span(channels) * read.type.size
    if constant is None or read.negate or read.absolute or not same_bits(read.type, type):
        return None
    if read.offset % type.size or read.offset + span > written_bytes(op):
        return None
    return Immediate(read.type, constant.bits)


def same_bits(a: DataType, b: DataType) -> bool:
    return a is b or (a.bits == b.bits and {a, b} <= INTEGERS)


def converted(constant: Immediate, type: DataType) -> Immediate | None:
    """A constant as `mov` converts it; None where that is more than a change of an integer's width."""
    if constant.type is type:
        return constant
    if not {constant.type, type} <= INTEGERS:
        return None
    return Immediate(type, int(constant.value()) % (1 << type.bits))


def _has_no_sign(type: DataType) -> bool:
    return type in INTEGERS and not type.is_signed


def by_power_of_two(mnemonic: str, constant: Immediate) -> tuple[str, Immediate] | None:
    """The instruction that does what `mul`, `div` or `mod` does by a power of two, and its last source.

    None unless a shift or a mask does: quotients and remainders of numbers with a sign round toward zero.
    """
    if constant.bits.bit_count() != 1 or (mnemonic in QUOTIENTS and not _has_no_sign(constant.type)):
        return None
    match mnemonic:
        case "mul":
            return "shl", Immediate(constant.type, constant.bits.bit_length() - 1)
        case "div":
            return "shr", Immediate(constant.type, constant.bits.bit_length() - 1)
        case "mod":
            return "and", Immediate(constant.type, constant.bits - 1)
        case _:
            return None


def as_product(mnemonic: str, constant: Immediate) -> tuple[str, Immediate]:
    """The instruction and its last source, with the product for a shift to the left."""
    if mnemonic != "shl":
        return mnemonic, constant
    return "mul", Immediate(constant.type, 1 << constant.bits % constant.type.bits)


def folds(mnemonic: str) -> bool:
    """Returns whether an instruction on two constants may be folded."""
    return mnemonic in _FUNCTIONS or mnemonic in QUOTIENTS


def combine(mnemonic: str, a: Immediate, b: Immediate) -> Immediate | None:
    """The result of an instruction on two constants of its only type; None for instructions that are not folded."""
    if mnemonic in QUOTIENTS and _has_no_sign(a.type) and b.bits:
        return Immediate(a.type, QUOTIENTS[mnemonic](a.bits, b.bits))
    function = _FUNCTIONS.get(mnemonic)
    if function is None:
        return None
    return Immediate(a.type, function(a.bits, b.bits, a.type.bits) % (1 << a.type.bits))
