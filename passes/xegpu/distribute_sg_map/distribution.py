"""Rewrites the operations of a kernel whose values have a distribution."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import BlockArgument, Operation, OpResult, Region, SSAValue

from passes.support.control_flow import CARRIERS, passed, reverse_post_order
from passes.support.fragments import Assignment, Ownership
from passes.support.fragments.anchors import Accesses
from passes.support.fragments.picks import picks
from passes.support.fragments.reductions import plan_reduction
from passes.support.fragments.structure import is_vector
from passes.support.matrix_operands import matrix_maps
from passes.support.op_builder import OpBuilder
from passes.support.vectors.elementwise import is_elementwise
from passes.xegpu.distribute_sg_map.forms import Forms
from passes.xegpu.distribute_sg_map.movement import move_in_lanes
from passes.xegpu.distribute_sg_map.reductions import reduce_shared
from xegpu.dialects.upstream import BroadcastInterface
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import ConvertLayoutOp, DpasOp
from xegpu.dialects.xegpu.ops import SG_MAPS
from xegpu.targets import Target


def distribute(function: FuncOp, assignment: Assignment, target: Target) -> None:
    """Replaces the distributed values of a function by fragments."""
    _Distribution(assignment, target).run(function.body)


class _Distribution:
    def __init__(self, assignment: Assignment, target: Target):
        self._assignment, self._target = assignment, target
        self._forms = Forms()
        self._wanted: dict[SSAValue, Ownership] = {}
        """The forms that results of operations which are not distributed in place are to have."""

    def run(self, body: Region) -> None:
        for value, ownership in self._assignment.owned.items():
            if self._is_distributed_in_place(value):
                self._forms.retype(value, ownership)
            else:
                self._wanted[value] = ownership
        entry = body.blocks[0]
        for argument in entry.args:
            assert entry.first_op is not None
            self._replace(OpBuilder(entry.first_op), argument, argument)
        splats: list[Operation] = []
        self._visit(body, splats)
        for op in reversed(splats):
            if not any(result.uses.get_length() for result in op.results):
                _erase(op)

    def _is_distributed_in_place(self, value: SSAValue) -> bool:
        if isinstance(value, BlockArgument):
            around = value.block.parent_op()
            return not (isinstance(around, FuncOp) and value.block is around.body.blocks[0])
        assert isinstance(value, OpResult)
        op = value.op
        return op in self._assignment.needs or is_elementwise(op) or type(op) in CARRIERS

    def _visit(self, region: Region, splats: list[Operation]) -> None:
        if not region.blocks:
            return
        order = reverse_post_order(region)
        for block in [block for block in region.blocks if block not in order]:
            region.erase_block(block, safe_erase=False)
        for block in order:
            for op in list(block.ops):
                self._rewrite(op)
                if op.parent is None:
                    continue
                if _makes_splat(op):
                    splats.append(op)
                for inner in op.regions:
                    self._visit(inner, splats)

    # Operations ------------------------------------------------------------------------------------------------------

    def _rewrite(self, op: Operation) -> None:
        if op in self._assignment.needs:
            self._rewrite_anchor(op, self._assignment.needs[op])
        elif type(op) in CARRIERS:
            self._rewrite_control(op)
        elif is_elementwise(op) and any(self._forms[result] is not None for result in op.results):
            self._take(op, range(len(op.operands)), self._forms[op.results[0]])
        elif not (self._rewrite_movement(op) or self._rewrite_reduction(op)):
            self._take(op, range(len(op.operands)), None)
            for result in op.results:
                if result in self._wanted:
                    self._replace(_behind(op), result, result)

    def _rewrite_anchor(self, op: Operation, needs: tuple[Ownership, ...]) -> None:
        if isinstance(op, DpasOp):
            maps = matrix_maps(op, self._target)
            for index, need in zip(range(len(op.operands)), needs, strict=False):
                self._take(op, [index], need)
            for name, sg_map in zip(SG_MAPS, maps, strict=True):
                op.properties[name] = sg_map
        elif isinstance(op, ConvertLayoutOp):
            self._take(op, [0], needs[-1])
            _replace_op(op, op.operands[0])
        else:
            assert isinstance(op, Accesses)
            for index, value in enumerate(op.operands):
                self._take(op, [index], needs[0] if value is op.value else None)

    def _rewrite_control(self, op: Operation) -> None:
        takers: dict[SSAValue, SSAValue] = {}
        for taker, giver in passed(op):
            takers.setdefault(giver, taker)
        for index, giver in enumerate(op.operands):
            if giver in takers:
                self._take(op, [index], self._forms[takers[giver]])

    def _rewrite_movement(self, op: Operation) -> bool:
        result = op.results[0] if len(op.results) == 1 else None
        if result is None or result not in self._wanted or (moved := picks(op, self._forms.whole_types(op))) is None:
            return False
        build = OpBuilder(op)
        new = move_in_lanes(build, self._forms, op, moved, self._wanted[result])
        if new is None:
            return False
        self._forms.record(new, self._wanted.pop(result), result.type)
        _replace_op(op, new)
        return True

    def _rewrite_reduction(self, op: Operation) -> bool:
        source = self._forms[op.operands[0]] if op.operands else None
        if source is None:
            return False
        original = self._forms.whole_type(op.operands[0])
        if (plan := plan_reduction(op, source, original)) is None:
            return False
        build, result = OpBuilder(op), op.results[0]
        new = reduce_shared(build, self._forms, op, plan)
        if result in self._wanted:
            new = self._forms.convert(build, new, self._wanted.pop(result))
        elif self._forms[new] is not None:
            new = self._forms.convert(build, new, None)
        _replace_op(op, new)
        return True

    # Operands and results --------------------------------------------------------------------------------------------

    def _take(self, op: Operation, operands: Iterable[int], wanted: Ownership | None) -> None:
        """Converts the given operands of an operation, where they are vectors, to a distribution."""
        for index in operands:
            if is_vector(value := op.operands[index]):
                op.operands[index] = self._forms.convert(OpBuilder(_outside_mask(op)), value, wanted)

    def _replace(self, build: OpBuilder, value: SSAValue, whole: SSAValue) -> None:
        """Converts a value that is computed as a whole to the distribution that its users expect."""
        if (wanted := self._wanted.pop(value, None)) is None:
            return
        converted = self._forms.convert(build, whole, wanted)
        value.replace_uses_with_if(converted, lambda use: use.operation is not converted.owner)


def _behind(op: Operation) -> OpBuilder:
    assert op.next_op is not None
    return OpBuilder(op.next_op)


def _outside_mask(op: Operation) -> Operation:
    """Returns the operation in front of which others can be inserted: a `vector.mask` holds only one."""
    around = op.parent_op()
    return around if around is not None and around.name == "vector.mask" else op


def _makes_splat(op: Operation) -> bool:
    if isinstance(op, BroadcastInterface):
        return not is_vector(op.repeated)
    value = op.properties.get("value")
    return op.name == "arith.constant" and isinstance(value, DenseIntOrFPElementsAttr)


def _replace_op(op: Operation, new: SSAValue) -> None:
    op.results[0].replace_all_uses_with(new)
    if new.name_hint is None:
        new.name_hint = op.results[0].name_hint
    _erase(op)


def _erase(op: Operation) -> None:
    block = op.parent
    assert block is not None
    block.erase_op(op)
