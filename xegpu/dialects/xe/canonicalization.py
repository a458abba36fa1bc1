"""Canonicalization of `xe` instructions: constants become immediates, moves of whole blocks become copies."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xegpu.dialects.xe.folding import (
    ASSOCIATIVE,
    COMMUTATIVE,
    NEUTRAL,
    QUOTIENTS,
    as_product,
    by_power_of_two,
    combine,
    folds,
    is_integer_op,
    is_plain,
    known,
    same_bits,
    written_bytes,
)
from xegpu.dialects.xe.ops import AluOp, alu_op
from xegpu.dialects.xe.ops.attributes import ImmediateAttr, Read
from xegpu.dialects.xe.ops.patterns import ALU_PATTERNS, COPY_PATTERNS, AluPattern
from xegpu.dialects.xe.ops.types import GRFType, register_type
from xegpu.dialects.xe.structure import CopyOp
from xegpu.isa.model import CONTIGUOUS, Extra, Immediate

_Operand = tuple[SSAValue, Read] | Immediate


def _sources(op: AluOp) -> list[_Operand]:
    registers = iter(op.read_values()[2])
    return [r.data if isinstance(r, ImmediateAttr) else (next(registers), r.data) for r in op.reads.data]


def _with(op: AluOp, sources: Sequence[_Operand], mnemonic: str | None = None, *, keep: bool = True) -> AluOp:
    """The instruction with other sources, perhaps another one, and without `into` unless it is to `keep` that."""
    into, flag, _ = op.read_values()
    written, flag_result, carry = op.written_values()
    result = None if written is None else register_type(written)
    again = (type(op) if mnemonic is None else alu_op(mnemonic))(
        op.exec_size.value.data,
        sources,
        None if op.write is None else op.write.data,
        result,
        into=into if keep else None,
        flag=flag,
        inverted=op.inverted is not None,
        condition=op.condition_code(),
        flag_result=flag_result is not None,
        no_mask=op.no_mask is not None,
        channel_offset=0 if op.channel_offset is None else op.channel_offset.value.data,
        saturate=op.saturate is not None,
        combination=op.combination_code(),
        table=None if op.table is None else op.table.value.data,
        carry=None if carry is None else register_type(carry),
    )
    again.location = op.location
    return again


class OverwrittenBlock(AluPattern):
    """An instruction that overwrites the whole block needs no `into`."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, AluOp) or op.tied is None or not is_plain(op):
            return
        if written_bytes(op) == register_type(op.results[0]).size.data:
            rewriter.replace(op, _with(op, _sources(op), keep=False))


class ConstantSource(AluPattern):
    """A last source that reads a constant becomes an immediate; commutative instructions bring theirs there."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, AluOp) or op.SPEC.extra is Extra.CARRY or not _may_read_constants(op):
            return
        sources = _sources(op)
        constants = [_constant(source, op.exec_size.value.data) for source in sources]
        swaps = op.SPEC.mnemonic in COMMUTATIVE and is_integer_op(op)
        if swaps and constants[0] is not None and constants[-1] is None:
            sources.reverse()
            constants.reverse()
        constant = constants[-1]
        if (
            constant is None
            or isinstance(sources[-1], Immediate)
            or (len(sources) == 3 and not _fits_ternary(constant))
        ):
            return
        rewriter.replace(op, _with(op, [*sources[:-1], constant]))


def _may_read_constants(op: AluOp) -> bool:
    """Returns whether a source is an immediate that may trade its place, or comes from a move. This takes no time."""
    first = op.reads.data[0] if op.reads.data else None
    return isinstance(first, ImmediateAttr) or any(type(value.owner) is _MOVE for value in op.operands)


_MOVE = alu_op("mov")


def _fits_ternary(constant: Immediate) -> bool:
    """Returns whether the immediate fits an instruction with three sources: into 16 bits."""
    return constant.type.bits < 64 and constant.bits < 1 << 16


def _constant(source: _Operand, channels: int) -> Immediate | None:
    return source if isinstance(source, Immediate) else known(*source, channels)


class ConstantResult(AluPattern):
    """An integer instruction on two constants is a move of an immediate."""

    def fits(self, mnemonic: str) -> bool:
        return folds(mnemonic)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, AluOp) or not _may_read_constants(op) or not is_plain(op) or not is_integer_op(op):
            return
        a, b = (_constant(source, op.exec_size.value.data) for source in _sources(op))
        folded = None if a is None or b is None else combine(op.SPEC.mnemonic, a, b)
        if folded is not None:
            rewriter.replace(op, _with(op, [folded], "mov"))


class NeutralSource(AluPattern):
    """`add` of 0, `mul` by 1 and the like are moves."""

    def fits(self, mnemonic: str) -> bool:
        return mnemonic in NEUTRAL

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, AluOp):
            return
        sources = _sources(op)
        last = sources[-1]
        if (
            isinstance(last, Immediate)
            and NEUTRAL[op.SPEC.mnemonic] == last.bits
            and is_plain(op)
            and is_integer_op(op)
        ):
            rewriter.replace(op, _with(op, sources[:1], "mov"))


class PowerOfTwo(AluPattern):
    """A product with a power of two is a shift; without a sign, a quotient is one, too, and a remainder a mask."""

    def fits(self, mnemonic: str) -> bool:
        return mnemonic == "mul" or mnemonic in QUOTIENTS

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, AluOp):
            return
        first, last = _sources(op)
        found = by_power_of_two(op.SPEC.mnemonic, last) if isinstance(last, Immediate) else None
        if found is not None and is_plain(op) and is_integer_op(op):
            mnemonic, constant = found
            rewriter.replace(op, _with(op, [first, constant], mnemonic))


class ConstantChain(AluPattern):
    """`(x + 1) + 2` is `x + 3`, where both instructions work on the same elements. Shifts to the left are products."""

    def fits(self, mnemonic: str) -> bool:
        return mnemonic in _CHAINS

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        found = _constant_operand(op)
        if found is None or not isinstance(op, AluOp):
            return
        mnemonic, (value, read), constant = found
        inner = value.owner
        inner_found = _constant_operand(inner) if isinstance(inner, Operation) else None
        if inner_found is None or not isinstance(inner, AluOp) or inner.into is not None or inner.write is None:
            return
        if inner_found[0] != mnemonic or inner.write.data.type is not read.type or inner.exec_size != op.exec_size:
            return
        if inner.write.data.stride != 1 or read.offset != inner.write.data.offset or not _contiguous(op, read):
            return
        folded = combine(mnemonic, inner_found[2], constant)
        if folded is not None:
            rewriter.replace(op, _with(op, [inner_found[1], folded], mnemonic))


_CHAINS = ASSOCIATIVE | {"shl"}


def _constant_operand(op: Operation) -> tuple[str, tuple[SSAValue, Read], Immediate] | None:
    """The kind, the register and the constant of an integer instruction on both."""
    if not isinstance(op, AluOp) or op.SPEC.mnemonic not in _CHAINS or not is_plain(op) or not is_integer_op(op):
        return None
    first, last = _sources(op)
    if not isinstance(last, Immediate) or isinstance(first, Immediate):
        return None
    mnemonic, constant = as_product(op.SPEC.mnemonic, last)
    return mnemonic, first, constant


def _contiguous(op: AluOp, read: Read) -> bool:
    return read.region == CONTIGUOUS or op.exec_size.value.data == 1


class MoveOfBlock(AluPattern):
    """A move of the bits of a whole block is a copy: allocation can assign one register to both sides."""

    def fits(self, mnemonic: str) -> bool:
        return mnemonic == "mov"

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, AluOp) or not is_plain(op) or op.result is None:
            return
        source, size = _sources(op)[0], written_bytes(op)
        if isinstance(source, Immediate) or op.write is None:
            return
        value, read = source
        whole = size == register_type(value).size.data == register_type(op.result).size.data and read.offset == 0
        changes = not same_bits(read.type, op.write.data.type) or read.negate or read.absolute
        if whole and not changes and _contiguous(op, read):
            copy = CopyOp(value, register_type(op.result))
            copy.location = op.location
            rewriter.replace(op, copy)


class CopiedSource(AluPattern):
    """Instructions read the source of a copy instead of the copy where the source is aligned well enough."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, AluOp) or not any(type(value.owner) is CopyOp for value in op.operands):
            return
        sources = [_behind_copies(source) for source in _sources(op)]
        if [s[0] for s in sources if isinstance(s, tuple)] != list(op.read_values()[2]):
            rewriter.replace(op, _with(op, sources))


def _behind_copies(source: _Operand) -> _Operand:
    if isinstance(source, Immediate):
        return source
    value, read = source
    while isinstance(value.owner, CopyOp) and isinstance(value.owner.source.type, GRFType):
        if value.owner.source.type.alignment.data % read.type.size:
            break
        value = value.owner.source
    return value, read


class CopyOfCopy(RewritePattern):
    """A copy of a copy is a copy of the first; one that changes no alignment is the block itself."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, CopyOp):
            return
        if op.source.type == op.result.type:
            rewriter.replace(op, (), (op.source,))
            return
        inner = op.source.owner
        if isinstance(inner, CopyOp) and isinstance(inner.source.type, GRFType) and isinstance(op.result.type, GRFType):
            copy = CopyOp(inner.source, op.result.type)
            copy.location = op.location
            rewriter.replace(op, copy)


def register_patterns() -> None:
    """Lets the operations know the patterns."""
    ALU_PATTERNS[:] = [
        OverwrittenBlock(),
        ConstantResult(),
        ConstantSource(),
        NeutralSource(),
        ConstantChain(),
        PowerOfTwo(),
        MoveOfBlock(),
        CopiedSource(),
    ]
    COPY_PATTERNS[:] = [CopyOfCopy()]
