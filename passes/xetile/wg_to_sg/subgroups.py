"""Values that a subgroup computes from its number."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.arith import RemUIOp
from xdsl.dialects.scf import IfOp, YieldOp
from xdsl.ir import Block, Operation, Region, SSAValue

from passes.support.op_builder import Index, OpBuilder
from passes.xetile.wg_to_sg.sharing import Share, Sharing
from xegpu.dialects.upstream.arith import CmpiOp, DivUIOp
from xegpu.dialects.upstream.gpu import FuncOp, SubgroupIdOp


class Subgroups:
    """The subgroups of a work-group. Everything is computed once, at the start of the kernel."""

    def __init__(self, function: FuncOp, count: int):
        first = function.body.blocks[0].first_op
        assert first is not None
        self.count = count
        self.entry = OpBuilder(first)
        self._id: SSAValue | None = None
        self._coordinates: dict[tuple[int, int], Index] = {}
        self._offsets: dict[tuple[Share, int], Index] = {}

    @property
    def id(self) -> SSAValue:
        """The number of this subgroup."""
        if self._id is None:
            self._id = self.entry.add(SubgroupIdOp())
        return self._id

    def block(self, dim: Share, part: int) -> Index:
        """Returns the number of the block that is part number `part` of this subgroup."""
        block = self.entry.plus(self._coordinate(dim), part * dim.count)
        return self._remainder(block, dim.blocks) if dim.wraps else block

    def offset(self, dim: Share, part: int) -> Index:
        """Returns the offset of that block in elements."""
        if (offset := self._offsets.get((dim, part))) is None:
            if part and not dim.wraps:
                offset = self.entry.plus(self.offset(dim, 0), part * dim.count * dim.block)
            else:
                offset = self.entry.times(self.block(dim, part), dim.block)
            self._offsets[dim, part] = offset
        return offset

    def offsets(self, sharing: Sharing, position: Sequence[int]) -> list[Index]:
        """Returns the offsets of a part in all dimensions, in elements."""
        return [self.offset(dim, part) for dim, part in zip(sharing.dims, position, strict=True)]

    def only_first_owner(self, sharing: Sharing, ops: Sequence[Operation], builder: OpBuilder) -> None:
        """Inserts `ops`, which write memory, such that only one owner of each part executes them."""
        if sharing.is_exclusive(self.count):
            for op in ops:
                builder.insert(op)
            return
        first: Index = 0
        for dim in sharing.dims:
            first = self.entry.plus(first, self.entry.times(self.block(dim, 0), dim.stride))
        is_first = self.entry.add(CmpiOp(self.id, self.entry.value(first), "eq"))
        builder.insert(IfOp(is_first, [], Region(Block([*ops, YieldOp()]))))

    def _coordinate(self, dim: Share) -> Index:
        if dim.is_whole:
            return 0
        key = (dim.stride, dim.count)
        if (coordinate := self._coordinates.get(key)) is None:
            coordinate = self.id
            if dim.stride > 1:
                coordinate = self.entry.add(DivUIOp(coordinate, self.entry.value(dim.stride)))
            if dim.stride * dim.count < self.count:
                coordinate = self._remainder(coordinate, dim.count)
            self._coordinates[key] = coordinate
        return coordinate

    def _remainder(self, index: Index, divisor: int) -> Index:
        return index % divisor if isinstance(index, int) else self.entry.add(RemUIOp(index, self.entry.value(divisor)))
