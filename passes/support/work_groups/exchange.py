"""Exchange of parts between subgroups, through shared local memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import IndexType, IntegerType, VectorType, i1, i8, i64
from xdsl.ir import Attribute, Operation, SSAValue

from passes.support.op_builder import Index, OpBuilder
from passes.support.vectors.constants import splat_constant
from passes.support.work_groups.element_pieces import join, split
from passes.support.work_groups.exchange_memory import ExchangeMemory
from passes.support.work_groups.sharing import Sharing
from passes.support.work_groups.subgroups import Subgroups
from passes.support.work_groups.uniformity import runs_again, verify_uniform
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.arith import ExtUIOp, IndexCastOp, TruncIOp
from xegpu.dialects.upstream.gpu import BarrierOp
from xegpu.dialects.upstream.vector import ExtractOp, InsertStridedSliceOp, ShapeCastOp, vector_type, with_element
from xegpu.dialects.xegpu import element_bits


def reshaped(part: SSAValue, shape: Sequence[int], builder: OpBuilder) -> SSAValue:
    """Returns the part in another shape, without a chain of casts."""
    type_ = vector_type(part)
    if type_.get_shape() == tuple(shape):
        return part
    if isinstance(cast := part.owner, ShapeCastOp) and vector_type(cast.source).get_shape() == tuple(shape):
        return cast.source
    return builder.add(ShapeCastOp(part, VectorType(type_.element_type, shape)))


class _Slab(NamedTuple):
    """A rectangle of a matrix that holds a part, or the part's elements at the indices `leading`."""

    leading: tuple[int, ...]
    shape: tuple[int, ...]
    offsets: tuple[Index, ...]


class Exchange:
    """Redistributes the parts of a value: all subgroups store theirs, wait for one another, and load.

    An exchange in a loop, or one that shares its memory with others, also waits before it stores, since others may
    still load. Values too large for the memory move in pieces.
    """

    def __init__(self, op: Operation, subgroups: Subgroups, memory: ExchangeMemory):
        """Creates the exchange that `op` needs, in front of it."""
        self._op, self._subgroups, self._memory = op, subgroups, memory
        self._builder = OpBuilder(op)

    def move(self, parts: Sequence[SSAValue], source: Sharing, target: Sharing) -> list[SSAValue]:
        """Returns the parts under `target` of the value that has `parts` under `source`.

        Raises `CompileError` if some subgroups may not execute the exchange, and for values that cannot be stored.
        """
        return list(parts) if source == target else self.spread(parts, source, target)

    def spread(self, parts: Sequence[SSAValue], source: Sharing, target: Sharing) -> list[SSAValue]:
        """Moves parts as `move` does; all owners of a part get the value of the first of them."""
        verify_uniform(self._op)
        element = vector_type(parts[0]).element_type
        stored = [self._storable(part) for part in parts]
        kind = vector_type(stored[0]).element_type
        *outer, columns = source.shape
        size = element_bits(kind) // 8
        pieces = self._memory.pieces(self._op, prod(source.shape) * size, size)
        cut = [split(self._op, part, pieces, self._builder) for part in stored]
        memory = self._memory.allocate((prod(outer), columns), vector_type(cut[0][0]).element_type)
        arrived = [
            self._move_piece([part[piece] for part in cut], source, target, memory, is_first=piece == 0)
            for piece in range(pieces)
        ]
        joined = [join(of_part, kind, self._builder) for of_part in zip(*arrived, strict=True)]
        return [self._restored(part, element) for part in joined]

    def _move_piece(
        self, parts: Sequence[SSAValue], source: Sharing, target: Sharing, memory: SSAValue, *, is_first: bool
    ) -> list[SSAValue]:
        self._memory.wait(self._builder, always=runs_again(self._op) or not is_first)
        entry, access = self._subgroups.entry, self._memory.access
        stores = [
            access.store(entry, self._slab_of(part, slab), memory, slab.offsets)
            for part, slabs in zip(parts, self._slabs(source), strict=True)
            for slab in slabs
        ]
        self._subgroups.store(source, stores, self._builder)
        self._builder.insert(BarrierOp())
        whole = VectorType(vector_type(parts[0]).element_type, target.part_shape)
        return [self._gathered(slabs, memory, whole) for slabs in self._slabs(target)]

    def _gathered(self, slabs: Sequence[_Slab], memory: SSAValue, whole: VectorType) -> SSAValue:
        """Returns a part that is put together from the slabs of it that the memory holds."""
        result: SSAValue | None = None
        for slab in slabs:
            type_ = VectorType(whole.element_type, slab.shape)
            loaded = self._builder.add(self._memory.access.load(self._subgroups.entry, memory, slab.offsets, type_))
            if len(slabs) == 1:
                return reshaped(loaded, whole.get_shape(), self._builder)
            if result is None:
                result = self._builder.add(splat_constant(whole, 0))
            result = self._builder.add(InsertStridedSliceOp(loaded, result, [*slab.leading, 0, 0]))
        assert result is not None
        return result

    def _slab_of(self, part: SSAValue, slab: _Slab) -> SSAValue:
        part = self._builder.add(ExtractOp(part, slab.leading)) if slab.leading else part
        return reshaped(part, slab.shape, self._builder)

    def _slabs(self, sharing: Sharing) -> Iterator[list[_Slab]]:
        """Yields, for each part, the rectangles of a matrix that it consists of; all outer dimensions are rows."""
        *outer, columns = sharing.shape
        offsets, entry = self._subgroups.offsets, self._subgroups.entry
        if (matrix := sharing.with_shape((prod(outer), columns))) is not None:
            for position in matrix.positions():
                yield [_Slab((), matrix.part_shape, tuple(offsets(matrix, position)))]
            return
        *leading, height, width = sharing.part_shape
        for position in sharing.positions():
            *starts, column = offsets(sharing, position)
            slabs: list[_Slab] = []
            for index in product(*map(range, leading)):
                row: Index = 0
                for size, start, more in zip(outer, starts, (*index, 0), strict=True):
                    row = entry.plus(entry.times(row, size), entry.plus(start, more))
                slabs.append(_Slab(index, (height, width), (row, column)))
            yield slabs

    def _storable(self, part: SSAValue) -> SSAValue:
        """Returns the part with elements that are whole bytes."""
        type_ = vector_type(part)
        if type_.element_type == i1:
            return self._builder.add(ExtUIOp(part, with_element(type_, i8)))
        if isinstance(type_.element_type, IndexType):
            return self._builder.add(IndexCastOp(part, with_element(type_, i64)))
        if isinstance(type_.element_type, IntegerType) and type_.element_type.width.data < 8:
            raise CompileError(
                self._op, f"cannot move {type_.element_type} between subgroups: expected elements of whole bytes"
            )
        return part

    def _restored(self, part: SSAValue, element: Attribute) -> SSAValue:
        type_ = with_element(vector_type(part), element)
        if element == i1:
            return self._builder.add(TruncIOp(part, type_))
        return self._builder.add(IndexCastOp(part, type_)) if isinstance(element, IndexType) else part
