"""Evaluates `OpSpecConstantOp`: numbers become numbers, addresses constant expressions; functions compute the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from passes.frontends.spirv.addressing import Index, chain
from passes.frontends.spirv.constants import Constant, composed, member_of, null, number
from passes.frontends.spirv.grammar import grammar
from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.types import AnyType, Bool, Int, PointerType, VectorType

if TYPE_CHECKING:
    from passes.frontends.spirv.declarations import Declarations


def evaluate(found: Declarations, instruction: Instruction) -> Constant:
    """Returns the constant that an `OpSpecConstantOp` declares.

    Raises:
        SpirvError: It is wrong.
    """
    kind = found.type(instruction, instruction.type)
    operation = grammar().operations.get(instruction.number(0))
    if operation is None or not operation.has_result or not operation.has_type:
        raise instruction.error(f"opcode {instruction.number(0)} gives no value")
    inner = Instruction(operation, instruction.type, instruction.result, instruction.operands[1:], instruction.word)
    name = inner.name
    least = sum(each[-1] not in "?*" for each in operation.operands)
    if len(inner.operands) < least or not inner.operands:
        raise inner.error("its operands are missing")
    if name in ("OpCompositeExtract", "OpCompositeInsert", "OpVectorShuffle"):
        return _composite(found, inner, kind) or Constant(kind, "", deferred=inner)
    operands = [_constant(found, inner, each) for each in inner.numbers()]
    if name == "OpBitcast" and operands[0].type.llvm == kind.llvm:
        return Constant(kind, operands[0].text, operands[0].value, operands[0].parts, operands[0].deferred)
    if name in _CASTS or name in _CHAINS:
        return _address(inner, kind, operands)
    return _fold(inner, kind, operands) or Constant(kind, "", deferred=inner)


def _constant(found: Declarations, instruction: Instruction, which: int) -> Constant:
    constant = found.constants.get(which)
    if constant is None:
        raise instruction.error(f"its operand %{which} is not a constant")
    return constant


def _fold(instruction: Instruction, kind: AnyType, operands: list[Constant]) -> Constant | None:
    """Returns the result of an operation on numbers, componentwise for vectors, or `None` if it has no known value."""
    if isinstance(kind, VectorType):
        rows = [_parts(each, kind.components) for each in operands]
        found: list[Constant] = []
        for place in range(kind.components):
            parts = [row[place] for row in rows if row is not None]
            part = _fold(instruction, kind.element, parts) if len(parts) == len(rows) else None
            if part is None:
                return None
            found.append(part)
        return composed(kind, tuple(found), instruction)
    if not isinstance(kind, Bool | Int):
        return None
    if instruction.name == "OpSelect" and len(operands) == 3 and operands[0].value is not None:
        return operands[1] if operands[0].value else operands[2]
    function = _FUNCTIONS.get(instruction.name)
    values: list[int] = []
    widths: list[int] = []
    for each in operands:
        if each.value is None or not isinstance(each.type, Bool | Int):
            return None
        values.append(each.value)
        widths.append(each.type.width if isinstance(each.type, Int) else 1)
    if function is None or len(values) != function[0]:
        return None
    return number(kind, function[1](values, widths[0], kind.width if isinstance(kind, Int) else 1))


def _parts(constant: Constant, count: int) -> tuple[Constant, ...] | None:
    if constant.parts is not None:
        return constant.parts
    return (constant,) * count if isinstance(constant.type, Bool) else None


def _signed(value: int, width: int) -> int:
    return value - (value >> width - 1 << width)


def _quotient(left: int, right: int) -> int:
    """Returns a quotient rounded towards zero. Division by zero is undefined and gives 0."""
    if right == 0:
        return 0
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def _remainder(left: int, right: int) -> int:
    return left - _quotient(left, right) * right


def _modulo(left: int, right: int) -> int:
    return left % right if right else 0


Rule = Callable[[list[int], int, int], int]


def _binary(function: Callable[[int, int], int], signed: bool = False) -> tuple[int, Rule]:
    if not signed:
        return 2, lambda values, _width, _result: function(values[0], values[1])
    return 2, lambda values, width, _result: function(_signed(values[0], width), _signed(values[1], width))


_FUNCTIONS: dict[str, tuple[int, Rule]] = {
    "OpIAdd": _binary(lambda left, right: left + right),
    "OpISub": _binary(lambda left, right: left - right),
    "OpIMul": _binary(lambda left, right: left * right),
    "OpUDiv": _binary(_quotient),
    "OpSDiv": _binary(_quotient, signed=True),
    "OpUMod": _binary(_modulo),
    "OpSRem": _binary(_remainder, signed=True),
    "OpSMod": _binary(_modulo, signed=True),
    "OpBitwiseAnd": _binary(lambda left, right: left & right),
    "OpBitwiseOr": _binary(lambda left, right: left | right),
    "OpBitwiseXor": _binary(lambda left, right: left ^ right),
    "OpShiftLeftLogical": (2, lambda values, width, _: values[0] << min(values[1], width)),
    "OpShiftRightLogical": (2, lambda values, width, _: values[0] >> min(values[1], width)),
    "OpShiftRightArithmetic": (2, lambda values, width, _: _signed(values[0], width) >> min(values[1], width)),
    "OpLogicalAnd": _binary(lambda left, right: left & right),
    "OpLogicalOr": _binary(lambda left, right: left | right),
    "OpLogicalEqual": _binary(lambda left, right: left == right),
    "OpLogicalNotEqual": _binary(lambda left, right: left != right),
    "OpIEqual": _binary(lambda left, right: left == right),
    "OpINotEqual": _binary(lambda left, right: left != right),
    "OpULessThan": _binary(lambda left, right: left < right),
    "OpULessThanEqual": _binary(lambda left, right: left <= right),
    "OpUGreaterThan": _binary(lambda left, right: left > right),
    "OpUGreaterThanEqual": _binary(lambda left, right: left >= right),
    "OpSLessThan": _binary(lambda left, right: left < right, signed=True),
    "OpSLessThanEqual": _binary(lambda left, right: left <= right, signed=True),
    "OpSGreaterThan": _binary(lambda left, right: left > right, signed=True),
    "OpSGreaterThanEqual": _binary(lambda left, right: left >= right, signed=True),
    "OpLogicalNot": (1, lambda values, _width, _result: values[0] ^ 1),
    "OpNot": (1, lambda values, _width, _result: ~values[0]),
    "OpSNegate": (1, lambda values, _width, _result: -values[0]),
    "OpUConvert": (1, lambda values, _width, _result: values[0]),
    "OpSConvert": (1, lambda values, width, _result: _signed(values[0], width)),
    "OpCopyObject": (1, lambda values, _width, _result: values[0]),
}
"""The operations on integers and truth values: how many operands they take, and the result from these, the width of the
first operand and that of the result. The caller drops bits that do not fit."""

_CASTS = {
    "OpConvertPtrToU": "ptrtoint",
    "OpConvertUToPtr": "inttoptr",
    "OpPtrCastToGeneric": "addrspacecast",
    "OpGenericCastToPtr": "addrspacecast",
}

_CHAINS = frozenset({"OpAccessChain", "OpInBoundsAccessChain", "OpPtrAccessChain", "OpInBoundsPtrAccessChain"})


def _address(instruction: Instruction, kind: AnyType, operands: list[Constant]) -> Constant:
    """Returns the constant expression of an address. One of a builtin variable is left to functions."""
    if any(each.deferred for each in operands):
        return Constant(kind, "", deferred=instruction)
    base = operands[0]
    if instruction.name in _CHAINS:
        if not isinstance(kind, PointerType):
            raise instruction.error(f"its type is {kind.llvm}, not a pointer")
        indices = [Index(each.type, each.text, each.value) for each in operands[1:]]
        return Constant(
            kind, f"getelementptr ({chain(instruction, base.type, base.text, indices, 'Ptr' in instruction.name)})"
        )
    pointers = isinstance(base.type, PointerType), isinstance(kind, PointerType)
    expected = {"ptrtoint": (True, False), "inttoptr": (False, True), "addrspacecast": (True, True)}
    cast = _CASTS[instruction.name]
    if pointers != expected[cast] or kind.count > 1 or base.type.count > 1:
        raise instruction.error(f"it cannot turn {base.type.llvm} into {kind.llvm}")
    if cast == "addrspacecast" and base.type.llvm == kind.llvm:
        return Constant(kind, base.text)
    return Constant(kind, f"{cast} ({base.type.llvm} {base.text} to {kind.llvm})")


def _composite(found: Declarations, instruction: Instruction, kind: AnyType) -> Constant | None:
    """Returns the result of taking a composite apart or putting one together, or `None` if it is not known here."""
    numbers = instruction.numbers()
    if instruction.name == "OpCompositeExtract":
        constant = _constant(found, instruction, numbers[0])
        for place in numbers[1:]:
            inner = _part(constant, place, instruction)
            if inner is None:
                return None
            constant = inner
        return constant
    if instruction.name == "OpCompositeInsert":
        whole = _constant(found, instruction, numbers[1])
        part = _constant(found, instruction, numbers[0])
        if whole.parts is None or len(numbers) != 3 or numbers[2] >= len(whole.parts):
            return None
        parts = (*whole.parts[: numbers[2]], part, *whole.parts[numbers[2] + 1 :])
        return composed(kind, parts, instruction)
    left, right = (_constant(found, instruction, each).parts for each in numbers[:2])
    if left is None or right is None or not isinstance(kind, VectorType):
        return None
    both = (*left, *right)
    if any(place >= len(both) for place in numbers[2:]):
        return None
    return composed(kind, tuple(both[place] for place in numbers[2:]), instruction)


def _part(constant: Constant, place: int, instruction: Instruction) -> Constant | None:
    if constant.parts is not None:
        if place >= len(constant.parts):
            raise instruction.error(f"the composite has {len(constant.parts)} parts and no number {place}")
        return constant.parts[place]
    if constant.text == "zeroinitializer":
        member = member_of(constant.type, place)
        return null(member) if member is not None else None
    return None
