"""`arith-promote-integers`: computes with integers of any width in the next wider type that registers hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr, IntegerType, ModuleOp, VectorType
from xdsl.dialects.math import AbsIOp, CountLeadingZerosOp, CountTrailingZerosOp, CtPopOp
from xdsl.dialects.ub import PoisonOp
from xdsl.dialects.vector import ShuffleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.type import get_element_type_or_self

from passes.support.attribute_conversion import AttributeConversion
from passes.support.op_builder import OpBuilder
from passes.support.op_table import OpTable
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.arith import (
    CmpiOp,
    DivSIOp,
    DivUIOp,
    ExtSIOp,
    ExtUIOp,
    FPToSIOp,
    FPToUIOp,
    IndexCastOp,
    IndexCastUIOp,
    SelectOp,
    ShRSIOp,
    ShRUIOp,
    SIToFPOp,
    TruncIOp,
    UIToFPOp,
)
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.llvm import GEPOp, LoadOp, StoreOp
from xegpu.dialects.upstream.vector import (
    BroadcastOp,
    ExtractOp,
    FromElementsOp,
    InsertOp,
    ShapeCastOp,
    SplatOp,
    ToElementsOp,
)

WIDTHS = (1, 8, 16, 32, 64)
"""The widths in bits of integers that registers hold."""


@dataclass(frozen=True)
class ArithPromoteIntegersPass(ModulePass):
    """Promotes integers of other than 1, 8, 16, 32 and 64 bits in kernels, scalars and elements of vectors.

    A promoted integer has zeros above its width. Operations that read it as a signed number get it sign-extended, and
    results that may have other bits there are masked. Memory holds an integer in as few bytes as its width takes, as in
    LLVM. Kernels with such integers in arguments or in memory with a type stay as they are: later passes refuse them.
    Raises `CompileError` for arithmetic that has no rule here.
    """

    name = "arith-promote-integers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in op.walk():
            if isinstance(kernel, FuncOp):
                _promote(kernel)


class _Widths(NamedTuple):
    """The widths that the promoted integers among the operands and results of an operation had; 0 for others."""

    operands: tuple[int, ...]
    results: tuple[int, ...]


_Rule = Callable[[_Widths, Operation], None]
_RULES = OpTable[_Widths, None]()
"""The rules of operations; without one, an operation takes no promoted integers."""


def _promote(kernel: FuncOp) -> None:
    found: list[tuple[Operation, _Widths]] = []
    for op in kernel.walk():
        widths = _Widths(tuple(map(_width, op.operand_types)), tuple(map(_width, op.result_types)))
        bits = next(filter(None, (*widths.operands, *widths.results)), None)
        if bits is not None:
            if op not in _RULES and op.dialect_name() not in _PASSING:
                if op.dialect_name() in _ARITHMETIC:
                    raise CompileError(op, f"computes with integers of {bits} bits, for which it has no rule")
                return
            found.append((op, widths))
    if not found or any(map(_width, kernel.function_type.inputs)):
        return
    AttributeConversion(_promoted).convert_operations(kernel.walk())
    for op, widths in found:
        (_RULES.get(op) or _keep)(widths, op)


# Types and numbers ---------------------------------------------------------------------------------------------------


def _width(type: Attribute) -> int:
    """Returns the width of an integer that is promoted, or of the elements of a vector of such; 0 for other types."""
    element = get_element_type_or_self(type) if isinstance(type, VectorType) else type
    if not isinstance(element, IntegerType):
        return 0
    bits = element.width.data
    return bits if bits not in WIDTHS and bits < WIDTHS[-1] else 0


def _promoted(attribute: Attribute) -> Attribute | None:
    """Returns a type or number in the type that it is promoted to; None for others."""
    if isinstance(attribute, IntegerType) and (bits := _width(attribute)):
        return IntegerType(next(width for width in WIDTHS[1:] if width > bits))
    if isinstance(attribute, IntegerAttr) and (bits := _width(attribute.type)):
        return IntegerAttr(_unsigned(attribute.value.data, bits), _wide(attribute.type))
    if isinstance(attribute, DenseIntOrFPElementsAttr) and (bits := _width(attribute.type.get_element_type())):
        numbers = [_unsigned(int(number), bits) for number in attribute.get_values()]
        kind = VectorType(_wide(attribute.type.get_element_type()), attribute.type.get_shape())
        return DenseIntOrFPElementsAttr.from_list(kind, numbers)
    return None


def _wide(type: Attribute) -> IntegerType:
    wide = _promoted(type)
    assert isinstance(wide, IntegerType)
    return wide


def _unsigned(value: int, bits: int) -> int:
    return value & (1 << bits) - 1


def _number(builder: OpBuilder, type: Attribute, value: int) -> SSAValue:
    """Returns a number, the same in all elements of a vector."""
    if isinstance(type, VectorType):
        return builder.add(arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(type, [value] * type.element_count())))
    assert isinstance(type, IntegerType)
    return builder.add(arith.ConstantOp(IntegerAttr(value, type)))


def _bits(type: Attribute) -> int:
    """Returns the width of an integer, or of the elements of a vector."""
    element = get_element_type_or_self(type)
    assert isinstance(element, IntegerType)
    width: int = element.width.data
    return width


# Rules ---------------------------------------------------------------------------------------------------------------


def _keep(widths: _Widths, op: Operation) -> None:
    """Leaves an operation of which only the types change."""


def _sign(widths: _Widths, op: Operation, indices: Iterable[int]) -> None:
    """Sign-extends operands."""
    for index in indices:
        value, bits = op.operands[index], widths.operands[index]
        if bits:
            builder = OpBuilder(op)
            rest = _number(builder, value.type, _bits(value.type) - bits)
            op.operands[index] = builder.add(ShRSIOp(builder.add(arith.ShLIOp(value, rest)), rest))


def _mask(widths: _Widths, op: Operation) -> None:
    """Clears the bits of the results above their widths."""
    following = op.next_op
    assert following is not None
    builder = OpBuilder(following)
    for result, bits in zip(op.results, widths.results, strict=True):
        if bits:
            _replace(result, arith.AndIOp(result, _number(builder, result.type, _unsigned(-1, bits))), builder)


def _replace(result: SSAValue, correction: Operation, builder: OpBuilder) -> None:
    """Inserts an operation that corrects a result, and has all others use what it gives."""
    corrected = builder.add(correction)
    result.replace_uses_with_if(corrected, lambda use: use.operation is not correction)


def _rule(*signed: int, masks: bool = False) -> _Rule:
    """Returns the rule of operations that read some operands as signed numbers.

    Args:
        signed: The positions of these operands.
        masks: True if results may have bits above their widths.

    """

    def apply(widths: _Widths, op: Operation) -> None:
        for flag in _FLAGS:
            op.properties.pop(flag, None)
        if "overflowFlags" in op.properties:
            op.properties["overflowFlags"] = arith.IntegerOverflowAttr("none")
        _sign(widths, op, signed)
        if masks:
            _mask(widths, op)

    return apply


@_RULES.register(CmpiOp)
def _compare(widths: _Widths, op: CmpiOp) -> None:
    if op.predicate.value.data in _SIGNED_PREDICATES:
        _sign(widths, op, (0, 1))


def _cast(rule: _Rule) -> _Rule:
    """Returns the rule of a cast, which is gone where both types are promoted to the same one."""

    def apply(widths: _Widths, op: Operation) -> None:
        rule(widths, op)
        if op.operands[0].type == op.results[0].type:
            op.results[0].replace_all_uses_with(op.operands[0])
            Rewriter.erase_op(op)

    return apply


@_RULES.register(CountLeadingZerosOp)
def _leading_zeros(widths: _Widths, op: CountLeadingZerosOp) -> None:
    """Counts those above the width, too, which are subtracted."""
    following, result = op.next_op, op.results[0]
    assert following is not None
    builder = OpBuilder(following)
    more = _number(builder, result.type, _bits(result.type) - widths.results[0])
    _replace(result, arith.SubiOp(result, more), builder)


@_RULES.register(CountTrailingZerosOp)
def _trailing_zeros(widths: _Widths, op: CountTrailingZerosOp) -> None:
    """Counts up to a bit that is set above the width."""
    value, builder = op.operands[0], OpBuilder(op)
    op.operands[0] = builder.add(arith.OrIOp(value, _number(builder, value.type, 1 << widths.operands[0])))


def _pieces(bits: int) -> list[tuple[int, int]]:
    """Returns offsets and sizes, in bytes, of the powers of two that the bytes of an integer consist of."""
    size, found, offset = -(-bits // 8), list[tuple[int, int]](), 0
    for piece in (4, 2, 1):
        if size & piece:
            found.append((offset, piece))
            offset += piece
    return found


def _is_whole(bits: int, type: Attribute) -> bool:
    """Returns whether memory holds an integer in as many bytes as the type has that it is promoted to."""
    return type == IntegerType(8 * -(-bits // 8))


def _at(builder: OpBuilder, pointer: SSAValue, offset: int) -> SSAValue:
    if not offset:
        return pointer
    assert isinstance(pointer.type, llvm.LLVMPointerType)
    return builder.add(GEPOp(pointer, [offset], IntegerType(8), [], result_type=pointer.type))


def _aligned(op: LoadOp | StoreOp, offset: int) -> int:
    start = 1 if op.alignment is None else op.alignment.value.data
    return min(start, offset & -offset) if offset else start


@_RULES.register(LoadOp)
def _load(widths: _Widths, op: LoadOp) -> None:
    """Loads the bytes that there are, in pieces of powers of two."""
    builder = OpBuilder(op)
    type, whole = op.results[0].type, None
    if _is_whole(widths.results[0], type):
        return
    for offset, size in _pieces(widths.results[0]):
        pointer, kind = _at(builder, op.ptr, offset), IntegerType(8 * size)
        part = builder.add(LoadOp(pointer, kind, _aligned(op, offset), op.ordering.value.data))
        if kind != type:
            part = builder.add(ExtUIOp(part, type))
        if offset:
            part = builder.add(arith.ShLIOp(part, _number(builder, type, 8 * offset)))
        whole = part if whole is None else builder.add(arith.OrIOp(whole, part))
    assert whole is not None
    op.results[0].replace_all_uses_with(whole)
    Rewriter.erase_op(op)


@_RULES.register(StoreOp)
def _store(widths: _Widths, op: StoreOp) -> None:
    builder = OpBuilder(op)
    if _is_whole(widths.operands[0], op.value.type):
        return
    ordering = 0 if op.ordering is None else op.ordering.value.data
    for offset, size in _pieces(widths.operands[0]):
        part, kind = op.value, IntegerType(8 * size)
        if offset:
            part = builder.add(ShRUIOp(part, _number(builder, part.type, 8 * offset)))
        if kind != part.type:
            part = builder.add(TruncIOp(part, kind))
        builder.insert(StoreOp(part, _at(builder, op.ptr, offset), _aligned(op, offset), ordering))
    Rewriter.erase_op(op)


_FLAGS = ("nonNeg", "isExact", "isDisjoint")
"""Properties that say, as overflow flags do, of operands or results what is not said of the promoted ones."""
_SIGNED_PREDICATES = range(2, 6)
"""The numbers of `slt`, `sle`, `sgt` and `sge`."""
_ARITHMETIC = frozenset({"arith", "math"})
"""Dialects whose operations are refused here if they have no rule; later passes say what is wrong with others."""
_PASSING = frozenset({"cf", "scf"})
"""Dialects whose operations pass values on."""

_RULES.register(arith.AndIOp, arith.OrIOp, arith.XOrIOp, DivUIOp, arith.RemUIOp, arith.CeilDivUIOp, ShRUIOp)(_rule())
_RULES.register(arith.MaxUIOp, arith.MinUIOp, UIToFPOp, SelectOp, arith.ConstantOp, CtPopOp)(_rule())
_RULES.register(arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.ShLIOp)(_rule(masks=True))
_RULES.register(FPToUIOp, FPToSIOp, IndexCastUIOp, PoisonOp)(_rule(masks=True))
_RULES.register(DivSIOp, arith.RemSIOp, arith.FloorDivSIOp, arith.CeilDivSIOp)(_rule(0, 1, masks=True))
_RULES.register(arith.MaxSIOp, arith.MinSIOp)(_rule(0, 1, masks=True))
_RULES.register(ShRSIOp, IndexCastOp, AbsIOp)(_rule(0, masks=True))
_RULES.register(SIToFPOp)(_rule(0))
_RULES.register(ExtUIOp)(_cast(_rule()))
_RULES.register(ExtSIOp)(_cast(_rule(0, masks=True)))
_RULES.register(TruncIOp)(_cast(_rule(masks=True)))
_RULES.register(BroadcastOp, SplatOp, ExtractOp, InsertOp, ShuffleOp, FromElementsOp, ToElementsOp, ShapeCastOp)(_keep)
