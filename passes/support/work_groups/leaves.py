"""Parts of vectors that are made of scalars: each subgroup creates its own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from xdsl.dialects.arith import AddiOp, ConstantOp, SubiOp
from xdsl.dialects.builtin import AnyDenseElement, BytesAttr, DenseIntOrFPElementsAttr, IndexType, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from passes.support.op_builder import Index, OpBuilder, known
from passes.support.work_groups.sharing import Sharing
from passes.support.work_groups.subgroups import Subgroups
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.arith import CmpiOp, SelectOp
from xegpu.dialects.upstream.vector import BroadcastOp, ConstantMaskOp, CreateMaskOp, SplatOp, StepOp, vector_type
from xegpu.dialects.xegpu import integers


def leaf_parts(op: Operation, sharing: Sharing, subgroups: Subgroups) -> list[SSAValue]:
    """Returns the parts of the result of `op`, for which `rules.is_leaf` holds.

    Raises `CompileError` for constants without elements to slice.
    """
    builder = OpBuilder(op)
    positions = list(sharing.positions())
    match op:
        case BroadcastOp() | SplatOp():
            same = builder.add(BroadcastOp(op.operands[0], _part_type(op, sharing)))
            return [same] * len(positions)
        case CreateMaskOp():
            bounds: Sequence[Index] = op.mask_dim_sizes
            return [_mask(op, sharing, bounds, position, subgroups) for position in positions]
        case ConstantMaskOp():
            bounds = integers(op.mask_dim_sizes)
            return [_mask(op, sharing, bounds, position, subgroups) for position in positions]
        case StepOp():
            return [_steps(op, sharing, position, subgroups) for position in positions]
        case _:
            return _Slices(op, sharing, subgroups).parts()


def _part_type(op: Operation, sharing: Sharing) -> VectorType:
    type_ = vector_type(op.results[0])
    return VectorType(type_.element_type, sharing.part_shape)


def _mask(
    op: Operation, sharing: Sharing, bounds: Sequence[Index], position: Sequence[int], subgroups: Subgroups
) -> SSAValue:
    """Returns a part of a mask, whose bounds count from the start of the part."""
    builder = OpBuilder(op)
    own: list[SSAValue] = []
    for bound, offset in zip(bounds, subgroups.offsets(sharing, position), strict=True):
        if isinstance(limit := known(bound), int) and isinstance(begin := known(offset), int):
            own.append(builder.value(limit - begin))
        elif offset == 0:
            own.append(builder.value(bound))
        else:
            own.append(builder.add(SubiOp(builder.value(bound), builder.value(offset))))
    return builder.add(CreateMaskOp(own, _part_type(op, sharing)))


def _steps(op: Operation, sharing: Sharing, position: Sequence[int], subgroups: Subgroups) -> SSAValue:
    builder = OpBuilder(op)
    steps = builder.add(StepOp(sharing.part_shape[0]))
    (offset,) = subgroups.offsets(sharing, position)
    if offset == 0:
        return steps
    first = builder.add(BroadcastOp(builder.value(offset), VectorType(IndexType(), sharing.part_shape)))
    return builder.add(AddiOp(steps, first))


class _Slices:
    """Parts of a constant. Unless all are equal, the subgroup selects its own at run time."""

    def __init__(self, op: Operation, sharing: Sharing, subgroups: Subgroups):
        value = op.properties["value"]
        if not isinstance(value, DenseIntOrFPElementsAttr):
            raise CompileError(op, f"cannot be distributed over subgroups: {value.name} has no elements to distribute")
        self._value, self._sharing, self._subgroups = value, sharing, subgroups
        self._builder = OpBuilder(op)
        self._type = _part_type(op, sharing)
        self._constants: dict[bytes, SSAValue] = {}

    def parts(self) -> list[SSAValue]:
        if self._value.is_splat():
            return [self._constant(self._bytes([0] * len(self._sharing.dims)))] * self._sharing.part_count
        return [self._select(position, []) for position in self._sharing.positions()]

    def _select(self, position: Sequence[int], blocks: Sequence[int]) -> SSAValue:
        """Returns the part whose leading block numbers are `blocks`, and the others those of the subgroup."""
        depth = len(blocks)
        if depth == len(self._sharing.dims):
            return self._constant(self._bytes(blocks))
        dim = self._sharing.dims[depth]
        if dim.is_whole:
            return self._select(position, [*blocks, 0])
        candidates = sorted({(position[depth] * dim.count + c) % dim.blocks for c in range(min(dim.count, dim.blocks))})
        own = self._subgroups.block(dim, position[depth])
        first, *others = candidates
        result = self._select(position, [*blocks, first])
        for candidate in others:
            if (value := self._select(position, [*blocks, candidate])) is not result:
                is_own = self._builder.add(CmpiOp(self._builder.value(own), self._builder.value(candidate), "eq"))
                result = self._builder.add(SelectOp(is_own, value, result))
        return result

    def _constant(self, data: bytes) -> SSAValue:
        if (constant := self._constants.get(data)) is None:
            assert isa(self._type, VectorType[AnyDenseElement])
            value = DenseIntOrFPElementsAttr(self._type, BytesAttr(data))
            constant = self._constants[data] = self._builder.add(ConstantOp(value))
        return constant

    def _bytes(self, blocks: Sequence[int]) -> bytes:
        """Returns the elements of one block."""
        shape, part = self._sharing.shape, self._sharing.part_shape
        data = self._value.data.data
        size = len(data) // prod(shape)
        row = part[-1] * size
        pieces: list[bytes] = []
        for element in product(
            *(range(block * length, (block + 1) * length) for block, length in _outer(blocks, part))
        ):
            start = 0
            for index, extent in zip(element, shape[:-1], strict=True):
                start = start * extent + index
            first = (start * shape[-1] + blocks[-1] * part[-1]) * size
            pieces.append(data[first : first + row])
        return b"".join(pieces)


def _outer(blocks: Sequence[int], part: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(blocks[:-1], part[:-1], strict=True))
