"""Meaning of ALU instructions: formulas of the table as expression trees, and the type they are computed in.

Formulas use `+ - * & | ^ ~`, whole numbers, the operands `src0` to `src2`, `predicate`, and the functions that the
table declares in `PRIMITIVES`. An engine implements each primitive once; every instruction whose formula consists of
them then works.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache

from xegpu.isa.model.instruction import IllegalInstruction, Instruction
from xegpu.isa.model.operands import SourceRegister
from xegpu.isa.model.table import PRIMITIVES, Condition, Extra, Modifiers, OpSpec
from xegpu.isa.model.types import PACKED_AS, DataType, integer
from xegpu.on_demand import dataclass

_ORDERED = frozenset({"cmp", "cmpn", "sel", "csel", "avg", "div", "mod"})
"""Instructions whose integer result depends on the whole value of each source, not only on its low bits."""

_ROTATIONS = frozenset({"rol", "ror"})
"""Instructions that compute in the type of their sources, however narrow."""

_SHIFTS = {"shr": False, "asr": True}
"""The signedness that right shifts compute with, whatever that of their sources."""

_OPERATORS: dict[type[ast.operator | ast.unaryop], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.Invert: "not",
}


@dataclass(frozen=True)
class SourceOperand:
    """Source number `index` of the instruction."""

    index: int


@dataclass(frozen=True)
class PredicateBits:
    """The instruction's predicate, one bit per channel."""


@dataclass(frozen=True)
class IntegerConstant:
    """A whole number, the same for all channels."""

    value: int


@dataclass(frozen=True)
class PrimitiveCall:
    """A primitive applied to arguments."""

    name: str
    arguments: tuple[Expression, ...]


Expression = SourceOperand | PredicateBits | IntegerConstant | PrimitiveCall

COMPARISONS = frozenset({"compare", "comparen"})
"""Primitives whose value is a truth value for each channel."""


def _convert(node: ast.expr) -> Expression:
    match node:
        case ast.Name(id="predicate"):
            return PredicateBits()
        case ast.Name(id=name) if name.startswith("src"):
            return SourceOperand(int(name.removeprefix("src")))
        case ast.Constant(value=int(value)):
            return IntegerConstant(value)
        case ast.BinOp(left=left, op=op, right=right):
            return PrimitiveCall(_OPERATORS[type(op)], (_convert(left), _convert(right)))
        case ast.UnaryOp(op=op, operand=operand):
            return PrimitiveCall(_OPERATORS[type(op)], (_convert(operand),))
        case ast.Call(func=ast.Name(id=name), args=args) if name in PRIMITIVES and len(args) == PRIMITIVES[name][0]:
            return PrimitiveCall(name, tuple(_convert(a) for a in args))
    raise ValueError(f"not a formula of the instruction table: {ast.unparse(node)}")


@cache
def formula(text: str) -> Expression:
    """Returns the expression tree of a formula of the table."""
    return _convert(ast.parse(text, mode="eval").body)


def expression(instruction: Instruction) -> Expression:
    """Returns the expression that the instruction computes.

    Whatever depends on more than the row is resolved: `sel` with a condition is a minimum or a maximum, `bfn` an
    expression of logic, and `dot4` is followed by the signs of its two sources, as in `dot4_su`.
    """
    spec = instruction.spec
    if spec.mnemonic == "sel" and instruction.condition is not None:
        name = "min" if instruction.condition.condition is Condition.LT else "max"
        return PrimitiveCall(name, (SourceOperand(0), SourceOperand(1)))
    if spec.extra is Extra.TABLE:
        return boolean(instruction.table, spec.sources)
    return _with_signs(formula(spec.semantics), instruction)


def carry_expression(spec: OpSpec) -> Expression | None:
    """Returns the expression of the second destination; None for instructions without one."""
    return formula(spec.carry) if spec.carry else None


def is_comparison(tree: Expression) -> bool:
    """Returns whether the value is a truth value for each channel."""
    return isinstance(tree, PrimitiveCall) and tree.name in COMPARISONS


def uses_predicate(tree: Expression) -> bool:
    """Returns whether the predicate chooses between sources, and so does not switch channels off."""
    return isinstance(tree, PredicateBits) or (
        isinstance(tree, PrimitiveCall) and any(map(uses_predicate, tree.arguments))
    )


def predicate_chooses(instruction: Instruction) -> bool:
    """Returns whether the predicate chooses between sources, as that of `sel` does, and so switches no channel off."""
    spec = instruction.spec
    return spec.computes and instruction.condition is None and uses_predicate(formula(spec.semantics))


def boolean(table: int, sources: int) -> Expression:
    """Returns the bitwise function whose truth table, of `2 ** sources` bits, is given.

    Bit k of the table is the value where the sources' bits, the first one lowest, make the number k.
    """
    if sources == 0:
        return IntegerConstant(-table)
    half = 1 << sources - 1
    low, high = table & ((1 << half) - 1), table >> half
    clear, full = 0, (1 << half) - 1
    last, rest = SourceOperand(sources - 1), boolean(low, sources - 1)
    if low == high:
        return rest
    if (low, high) == (clear, full):
        return last
    if (low, high) == (full, clear):
        return PrimitiveCall("not", (last,))
    if low == high ^ full:
        return PrimitiveCall("xor", (last, rest))
    chosen = PrimitiveCall("and", (last, boolean(high, sources - 1)))
    return PrimitiveCall("or", (chosen, PrimitiveCall("and", (PrimitiveCall("not", (last,)), rest))))


def _with_signs(tree: Expression, instruction: Instruction) -> Expression:
    if not isinstance(tree, PrimitiveCall):
        return tree
    arguments = tuple(_with_signs(argument, instruction) for argument in tree.arguments)
    if tree.name != "dot4":
        return PrimitiveCall(tree.name, arguments)
    sources = [argument.index for argument in arguments if isinstance(argument, SourceOperand)]
    signs = ("s" if instruction.sources[source].type.is_signed else "u" for source in sources)
    return PrimitiveCall(f"dot4_{''.join(signs)}", arguments)


def is_bit_copy(instruction: Instruction) -> bool:
    """Returns whether bits move unchanged.

    They do in `mov` and predicated `sel` between equal types, without modifiers or saturation.
    """
    if instruction.mnemonic not in ("mov", "sel") or instruction.saturate or instruction.destination is None:
        return False
    if instruction.mnemonic == "sel" and instruction.condition is not None:
        return False
    type = instruction.destination.type
    return all(
        s.type is type and not (isinstance(s, SourceRegister) and (s.negate or s.absolute)) for s in instruction.sources
    )


def computation_type(instruction: Instruction) -> DataType:
    """Returns the type that sources are converted to and the formula is evaluated in.

    Rotations compute in the type of their sources. Other integers compute in at least 32 bits, as wide as the widest
    source and (for results that wrap) the destination, signed if a source is; comparisons of mixed signedness and
    saturating results take twice the width, so that they are exact (`mov` never needs that). Mixes of f, hf and bf
    compute in f, and so does bf alone; but `mov`, and `sel` with a predicate, keep the float type that all their
    sources have. Raises `IllegalInstruction` for sources that do not go together.
    """
    spec, destination = instruction.spec, instruction.destination
    negates = False
    if spec.modifiers is Modifiers.ARITHMETIC:
        for source in instruction.sources:
            negates = negates or (isinstance(source, SourceRegister) and source.negate)
    return _computation_type(
        spec.mnemonic,
        tuple([PACKED_AS.get(source.type, source.type) for source in instruction.sources]),
        None if destination is None or destination.register.is_null else destination.type,
        negates,
        instruction.condition is None,
        instruction.saturate,
    )


@cache
def _computation_type(
    mnemonic: str,
    types: tuple[DataType, ...],
    written: DataType | None,
    negates: bool,
    unconditional: bool,
    saturates: bool,
) -> DataType:
    """Returns the type for these element types of sources, of which one `negates`, and the type that is `written`.

    Each instruction is asked for its type several times, and there are few combinations.
    """
    chooses = mnemonic == "mov" or (mnemonic == "sel" and unconditional)
    if chooses and types[0].is_float and len(set(types)) == 1:
        return types[0]
    floats = {t for t in types if t.is_float}
    if floats:
        if len(floats) != len(set(types)):
            raise IllegalInstruction(f"{mnemonic} mixes integer and float sources: {_names(types)}")
        if len(floats) == 1:
            only = types[0]
            return DataType.F if only is DataType.BF else only
        if DataType.DF in floats or DataType.TF32 in floats:
            raise IllegalInstruction(f"{mnemonic} cannot mix float types {_names(types)}")
        return DataType.F
    if mnemonic in _ROTATIONS:
        return types[0]
    signed = negates or any(t.is_signed for t in types)
    ordered = mnemonic in _ORDERED
    bits = max(32, *(t.bits for t in types))
    if written is not None and not written.is_float and not ordered:
        bits = max(bits, written.bits)
    widest_unsigned = max((t.bits for t in types if not t.is_signed), default=0)
    mixed = ordered and signed and widest_unsigned >= bits
    if (mixed or saturates) and mnemonic != "mov":
        bits *= 2
    if bits > 64:
        raise IllegalInstruction(f"{mnemonic} of {_names(types)} would need more than 64 bits")
    return integer(bits, _SHIFTS.get(mnemonic, signed))


def _names(types: Sequence[DataType]) -> str:
    return ", ".join(t.text for t in types)
