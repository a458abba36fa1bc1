"""Exchange of parts between subgroups, through shared local memory."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType, VectorType, i1, i8, i64
from xdsl.ir import Attribute, Operation, SSAValue

from passes.support.op_builder import OpBuilder
from passes.xetile.wg_to_sg.element_pieces import join, split
from passes.xetile.wg_to_sg.exchange_memory import SLM, ExchangeMemory
from passes.xetile.wg_to_sg.sharing import Sharing
from passes.xetile.wg_to_sg.subgroups import Subgroups
from passes.xetile.wg_to_sg.uniformity import runs_again, verify_uniform
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.arith import ExtUIOp, IndexCastOp, TruncIOp
from xegpu.dialects.upstream.gpu import BarrierOp
from xegpu.dialects.upstream.vector import ShapeCastOp, vector_type, with_element
from xegpu.dialects.xegpu import element_bits
from xegpu.dialects.xetile import InitTileOp, LoadTileOp, StoreTileOp, TileAttr, TileType


def reshaped(part: SSAValue, shape: Sequence[int], builder: OpBuilder) -> SSAValue:
    """Returns the part in another shape, without a chain of casts."""
    type_ = vector_type(part)
    if type_.get_shape() == tuple(shape):
        return part
    if isinstance(cast := part.owner, ShapeCastOp) and vector_type(cast.source).get_shape() == tuple(shape):
        return cast.source
    return builder.add(ShapeCastOp(part, VectorType(type_.element_type, shape)))


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
        if source == target:
            return list(parts)
        verify_uniform(self._op)
        flat_source, flat_target = self._as_matrix(source), self._as_matrix(target)
        element = vector_type(parts[0]).element_type
        stored = [self._storable(reshaped(part, flat_source.part_shape, self._builder)) for part in parts]
        kind = vector_type(stored[0]).element_type
        rows, columns = flat_source.shape
        size = element_bits(kind) // 8
        pieces = self._memory.pieces(self._op, rows * columns * size, size)
        cut = [split(self._op, part, pieces, self._builder) for part in stored]
        memory = self._memory.allocate(flat_source.shape, vector_type(cut[0][0]).element_type)
        arrived = [
            self._move_piece([part[piece] for part in cut], flat_source, flat_target, memory, is_first=piece == 0)
            for piece in range(pieces)
        ]
        joined = [join(of_part, kind, self._builder) for of_part in zip(*arrived, strict=True)]
        return [reshaped(self._restored(part, element), target.part_shape, self._builder) for part in joined]

    def _move_piece(
        self, parts: Sequence[SSAValue], source: Sharing, target: Sharing, memory: SSAValue, *, is_first: bool
    ) -> list[SSAValue]:
        self._memory.wait(self._builder, always=runs_again(self._op) or not is_first)
        stores: list[Operation] = []
        for part, position in zip(parts, source.positions(), strict=True):
            stores.append(StoreTileOp(part, self._tile(memory, source, position)))
        self._subgroups.only_first_owner(source, stores, self._builder)
        self._builder.insert(BarrierOp())
        positions = target.positions()
        return [self._builder.add(LoadTileOp(self._tile(memory, target, position))) for position in positions]

    def _as_matrix(self, sharing: Sharing) -> Sharing:
        """Returns the sharing of the value as a matrix, which tiles of memory require."""
        *outer, inner = sharing.shape
        rows = 1
        for size in outer:
            rows *= size
        matrix = sharing.with_shape((rows, inner))
        if matrix is None:
            raise CompileError(self._op, f"cannot move data between subgroups: expected a matrix, got {sharing}")
        return matrix

    def _tile(self, memory: SSAValue, sharing: Sharing, position: Sequence[int]) -> SSAValue:
        assert isinstance(memory.type, MemRefType)
        type_ = TileType(sharing.part_shape, memory.type.element_type, TileAttr(memory_space=SLM))
        return self._subgroups.entry.add(InitTileOp(memory, self._subgroups.offsets(sharing, position), type_))

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
