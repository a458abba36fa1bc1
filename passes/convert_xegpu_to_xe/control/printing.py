"""Expands prints and asserts to stores into the buffer that the runtime prints (see `xegpu.isa.code.printf`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    Signedness,
    VectorType,
    f32,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.dialects.cf import AssertOp
from xdsl.dialects.gpu import DimensionEnum
from xdsl.dialects.scf import YieldOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from passes.kernel import simt
from passes.support.control_flow import operations_of
from passes.support.op_builder import OpBuilder
from xegpu.diagnostics import CompileError, inherit_location
from xegpu.dialects.upstream.arith import CmpiOp, ExtFOp, ExtSIOp, ExtUIOp, IndexCastOp, ShRUIOp, TruncIOp
from xegpu.dialects.upstream.gpu import BlockIdOp, PrintfOp, SubgroupIdOp
from xegpu.dialects.upstream.memref import AtomicRMWOp, LoadOp, StoreOp
from xegpu.dialects.upstream.scf import IfOp
from xegpu.dialects.upstream.vector import ExtractOp, PrintOp, Punctuation
from xegpu.isa.code import ASSERTION, RECORD_WORDS, Directive, PrintfType, parse_format

_WORD_BYTES = 4
_MAX_ELEMENTS = 256
"""Elements of the largest vector that can be printed: each of them takes several instructions."""
_PUNCTUATION = {
    Punctuation.NO_PUNCTUATION: "",
    Punctuation.NEWLINE: "\n",
    Punctuation.COMMA: ", ",
    Punctuation.OPEN: "( ",
    Punctuation.CLOSE: " )",
}


def expand_prints(body: Region) -> list[str]:
    """Replaces `gpu.printf`, `vector.print` and `cf.assert` in a kernel; returns the texts that it prints.

    Raises `CompileError` for formats that do not match their arguments, and for values that cannot be printed.
    """
    texts: dict[str, int] = {}
    for op in operations_of(body, PrintfOp, PrintOp, AssertOp):
        match op:
            case PrintfOp():
                text = op.format.data.partition("\0")[0]
                _write_record(
                    OpBuilder(op), texts, text, _arguments(op, text, [_unpromoted(value) for value in op.args])
                )
                promoted = [value.owner for value in op.args]
                Rewriter.erase_op(op)
                _erase_unused(promoted)
            case PrintOp():
                build = OpBuilder(op)
                text, values = _vector_text(build, op)
                _write_record(build, texts, text, _arguments(op, text, values))
                Rewriter.erase_op(op)
            case AssertOp():
                _expand_assertion(op, texts)
    return list(texts)


def _unpromoted(value: SSAValue) -> SSAValue:
    """Returns the float that C's promotion made a double, which prints the same without double precision."""
    promotion = value.owner
    return promotion.input if isinstance(promotion, ExtFOp) and value.type == f64 else value


def _erase_unused(owners: Sequence[Operation | Block]) -> None:
    for owner in dict.fromkeys(owners):
        if isinstance(owner, ExtFOp | arith.ConstantOp) and not any(result.uses for result in owner.results):
            Rewriter.erase_op(owner)


_Argument = tuple[SSAValue, Directive]


def _arguments(op: Operation, text: str, values: Sequence[SSAValue]) -> list[_Argument]:
    """Returns the values to print, each with its directive in the format.

    The directive decides whether an integer is signed. Raises `CompileError` where they do not match.
    """
    try:
        directives = [part for part in parse_format(text) if isinstance(part, Directive)]
    except ValueError as error:
        raise CompileError(op, f"has a format that is not supported in a kernel: {error}") from None
    if len(directives) != len(values):
        raise CompileError(op, f"has a format for {len(directives)} values, but prints {len(values)}")
    for directive, value in zip(directives, values, strict=True):
        if directive.takes_integer is not isinstance(value.type, IntegerType | IndexType):
            kind = "an integer" if directive.takes_integer else "a float"
            raise CompileError(op, f"prints a value of type {value.type} where its format has {kind}")
    return list(zip(values, directives, strict=True))


def _literal(text: str) -> str:
    """Returns a format that prints a text as it is, up to the first NUL, where C strings end."""
    return text.partition("\0")[0].replace("%", "%%")


# Vectors -------------------------------------------------------------------------------------------------------------


def _vector_text(build: OpBuilder, op: PrintOp) -> tuple[str, list[SSAValue]]:
    """Returns the format of `vector.print`, which is that of MLIR's runtime library, and the elements."""
    end = _PUNCTUATION[op.punctuation.data]
    if op.string_literal is not None:
        return _literal(op.string_literal.data), []
    if op.source is None:
        return end, []
    type = op.source.type
    if not isinstance(type, VectorType):
        return _directive(type) + end, [op.source]
    if any(type.get_scalable_dims()) or type.element_count() > _MAX_ELEMENTS:
        raise CompileError(op, f"prints {type}: up to {_MAX_ELEMENTS} elements are supported in a kernel")
    shape = type.get_shape()
    elements = [build.add(ExtractOp(op.source, list(place))) for place in np.ndindex(*shape)]
    return _nested(_directive(type.element_type), shape) + end, elements


def _directive(type: Attribute) -> str:
    if isinstance(type, IntegerType | IndexType):
        is_signed = isinstance(type, IntegerType) and type != i1 and type.signedness.data is not Signedness.UNSIGNED
        return "%d" if is_signed else "%u"
    return "%g"


def _nested(element: str, shape: Sequence[int]) -> str:
    if not shape:
        return element
    return f"( {', '.join([_nested(element, shape[1:])] * shape[0])} )"


# Assertions ----------------------------------------------------------------------------------------------------------


def _expand_assertion(op: AssertOp, texts: dict[str, int]) -> None:
    build = OpBuilder(op)
    true = build.add(arith.ConstantOp(IntegerAttr(1, i1)))
    fails = build.add(arith.XOrIOp(op.arg, true))
    inner = _branch(build, fails)
    _write_record(inner, texts, _literal(op.msg.data) or "no message", [], ASSERTION)
    inner.insert(simt.StopOp())
    Rewriter.erase_op(op)


def _branch(build: OpBuilder, condition: SSAValue) -> OpBuilder:
    """Adds a block that is executed under a condition, and returns its builder."""
    end = YieldOp()
    inherit_location(build.anchor, end)
    build.insert(IfOp(condition, [], Region(Block([end]))))
    return OpBuilder(end)


# Records -------------------------------------------------------------------------------------------------------------


def _write_record(
    build: OpBuilder, texts: dict[str, int], text: str, arguments: Sequence[_Argument], mark: int = 0
) -> None:
    """Reserves room in the buffer and, if there is any, writes the record."""
    if not text:
        return
    text_number = texts.setdefault(text, len(texts)) + 1
    values = [(value, directive, _type_of(build.anchor, value)) for value, directive in arguments]
    size = (RECORD_WORDS + sum(1 + type.words for _, _, type in values)) * _WORD_BYTES

    buffer = build.add(simt.PrintfBufferOp(i64))
    wanted = build.add(arith.ConstantOp(IntegerAttr(size, i64)))
    start = build.add(AtomicRMWOp("addi", wanted, buffer, [build.value(0)]))
    end = build.add(arith.AddiOp(start, wanted))
    room = build.add(LoadOp(buffer, [build.value(1)]))
    build = _branch(build, build.add(CmpiOp(end, room, "ule")))
    shift = build.add(arith.ConstantOp(IntegerAttr(2, i64)))
    first = build.add(IndexCastOp(build.add(ShRUIOp(start, shift)), IndexType()))
    words = build.add(simt.PrintfBufferOp(i32))

    def store(place: int, word: SSAValue) -> None:
        build.insert(StoreOp(word, words, [build.value(build.plus(first, place))]))

    store(0, _constant(build, size))
    for number, dimension in enumerate(DimensionEnum):
        store(2 + number, _narrowed(build, build.add(BlockIdOp(dimension))))
    subgroup = _narrowed(build, build.add(SubgroupIdOp()))
    store(5, build.add(arith.OrIOp(subgroup, _constant(build, mark))) if mark else subgroup)
    place = RECORD_WORDS
    for value, directive, type in values:
        for word in (_constant(build, type), *_words(build, value, directive, type)):
            store(place, word)
            place += 1
    store(1, _constant(build, text_number))


def _constant(build: OpBuilder, value: int) -> SSAValue:
    return build.add(arith.ConstantOp(IntegerAttr(value - (1 << 32) if value >> 31 else value, i32)))


def _narrowed(build: OpBuilder, index: SSAValue) -> SSAValue:
    return build.add(IndexCastOp(index, i32))


def _type_of(op: Operation, value: SSAValue) -> PrintfType:
    type = value.type
    if isinstance(type, IndexType) or type == i64:
        return PrintfType.LONG
    if isinstance(type, Float64Type):
        return PrintfType.DOUBLE
    if isa(type, AnyFloat) and type.bitwidth in (16, 32):
        return PrintfType.FLOAT
    if (
        isinstance(type, IntegerType)
        and type.bitwidth in (1, 8, 16, 32)
        and type.signedness.data is Signedness.SIGNLESS
    ):
        return PrintfType.INT
    raise CompileError(op, f"prints a value of type {type}, which is not supported in a kernel")


def _words(build: OpBuilder, value: SSAValue, directive: Directive, type: PrintfType) -> Iterator[SSAValue]:
    """Yields the 32-bit words of a value, the low one first."""
    match type:
        case PrintfType.FLOAT:
            yield build.add(arith.BitcastOp(value if value.type == f32 else build.add(ExtFOp(value, f32)), i32))
            return
        case PrintfType.INT:
            if value.type != i32:
                signed = directive.is_signed and value.type != i1
                value = build.add((ExtSIOp if signed else ExtUIOp)(value, i32))
            yield value
            return
        case PrintfType.DOUBLE:
            constant = value.owner
            if isinstance(constant, arith.ConstantOp) and isinstance(constant.value, FloatAttr):
                bits = int(np.float64(constant.value.value.data).view(np.uint64))
                yield _constant(build, bits & (1 << 32) - 1)
                yield _constant(build, bits >> 32)
                return
            value = build.add(arith.BitcastOp(value, i64))
        case PrintfType.LONG:
            value = value if value.type == i64 else build.add(IndexCastOp(value, i64))
    yield build.add(TruncIOp(value, i32))
    half = build.add(arith.ConstantOp(IntegerAttr(32, i64)))
    yield build.add(TruncIOp(build.add(ShRUIOp(value, half)), i32))
