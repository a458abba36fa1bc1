"""Values that a subgroup computes from its number."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.arith import RemUIOp, SubiOp
from xdsl.dialects.scf import YieldOp
from xdsl.ir import Block, Operation, Region, SSAValue

from passes.support.op_builder import Index, OpBuilder
from passes.support.vectors.constants import splat_constant
from passes.support.work_groups.sharing import Share, Sharing
from xegpu.dialects.upstream.arith import CmpiOp, DivUIOp
from xegpu.dialects.upstream.gpu import FuncOp, SubgroupIdOp
from xegpu.dialects.upstream.scf import IfOp
from xegpu.dialects.upstream.vector import vector_type


class Subgroups:
    """The subgroups of a work-group. Everything is computed once, at the start of the kernel."""

    def __init__(self, function: FuncOp, count: int, *, is_certain: bool = True):
        """Takes the number of subgroups, and whether a launch cannot have more: these own what others own, too."""
        first = function.body.blocks[0].first_op
        assert first is not None
        self.count, self._is_certain = count, is_certain
        self.entry = OpBuilder(first)
        self._id: SSAValue | None = None
        self._coordinates: dict[tuple[int, int, int], Index] = {}
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

    def owns_alone(self, sharing: Sharing, among: range | None = None, *, is_repeatable: bool = True) -> bool:
        """Returns whether each part has one owner.


        Args:
            sharing: The sharing of the parts.
            among: The subgroups that execute the code in question, if not all of the work-group.
            is_repeatable: Whether surplus subgroups, which no layout counts, do no harm as further owners.

        """
        count = self.count if among is None else len(among)
        return sharing.is_exclusive(count) and (is_repeatable or self._is_certain)

    def only_first_owner(
        self, sharing: Sharing, ops: Sequence[Operation], builder: OpBuilder, among: range | None = None
    ) -> Sequence[SSAValue]:
        """Inserts operations such that only one owner of each part executes them.

        Returns their results; subgroups that do not execute them get zeros.
        """
        first: Index = 0 if among is None else among.start
        for dim in sharing.dims:
            first = self.entry.plus(first, self.entry.times(self.block(dim, 0), dim.stride))
        is_first = self.entry.add(CmpiOp(self.id, self.entry.value(first), "eq"))
        results = [result for op in ops for result in op.results]
        zeros = [splat_constant(vector_type(result), 0) for result in results]
        otherwise = Region(Block([*zeros, YieldOp(*zeros)])) if results else None
        choice = IfOp(is_first, [r.type for r in results], Region(Block([*ops, YieldOp(*results)])), otherwise)
        builder.insert(choice)
        return choice.results

    def store(self, sharing: Sharing, ops: Sequence[Operation], builder: OpBuilder, among: range | None = None) -> None:
        """Inserts operations that write each part to memory such that one owner writes it."""
        if not self.owns_alone(sharing, among):
            self.only_first_owner(sharing, ops, builder, among)
            return
        for op in ops:
            builder.insert(op)

    def _coordinate(self, dim: Share) -> Index:
        if dim.is_whole:
            return 0
        key = (dim.stride, dim.count, dim.base)
        if (coordinate := self._coordinates.get(key)) is None:
            coordinate = self.id
            if dim.base:
                coordinate = self.entry.add(SubiOp(coordinate, self.entry.value(dim.base)))
            if dim.stride > 1:
                coordinate = self.entry.add(DivUIOp(coordinate, self.entry.value(dim.stride)))
            if not self._is_certain or dim.stride * dim.count < self.count:
                coordinate = self._remainder(coordinate, dim.count)
            self._coordinates[key] = coordinate
        return coordinate

    def _remainder(self, index: Index, divisor: int) -> Index:
        return index % divisor if isinstance(index, int) else self.entry.add(RemUIOp(index, self.entry.value(divisor)))
