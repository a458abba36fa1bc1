"""Lowers structured control flow to blocks and branches that keep their source locations.

Loops become `scf.while` and switches become `scf.if` first. Conditions that are uniform in a subgroup become branches
of `cf`, others those of `simt`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

from xdsl.dialects.arith import AddiOp, ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.dialects.cf import BranchOp, ConditionalBranchOp
from xdsl.dialects.scf import ConditionOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from passes.analysis.common_memory import LaneDifferences
from passes.analysis.divergence import deciding_choice
from passes.kernel import simt
from passes.kernel.register_types import element_type
from passes.lift_cf_to_scf import lift
from passes.support.control_flow import operations_in, operations_of
from passes.support.loops.counted import known_step, type_limit
from xegpu.diagnostics import CompileError, inherit_location, note
from xegpu.dialects import xegpu
from xegpu.dialects.upstream.arith import CmpiOp
from xegpu.dialects.upstream.gpu import AllReduceOp
from xegpu.dialects.upstream.scf import ExecuteRegionOp, ForOp, IfOp, IndexSwitchOp, WhileOp
from xegpu.dialects.xegpu import TensorDescType
from xegpu.dialects.xegpu.ops import constant_index

_MAX_CASES = 128
"""Largest number of cases of a switch, which become nested choices."""
_BY_LANE: frozenset[type[Operation]] = frozenset({xegpu.LoadOp, xegpu.StoreOp, xegpu.PrefetchOp, xegpu.AtomicRMWOp})
"""Operations that each work-item performs by itself where an `sg_map` gives lanes data of their own."""
_WHOLE_SUBGROUP: frozenset[type[Operation]] = frozenset(
    {
        *(xegpu.CollectOp, xegpu.DistributeOp, xegpu.DpasOp, xegpu.LoadNdOp, xegpu.PrefetchNdOp, xegpu.StoreNdOp),
    }
)
"""Operations on data of whole subgroups. Barriers and reductions take part for the work-items that come to them."""


Names = dict[Operation, str]
"""By operation: the name in the source of the operation that it replaces."""


def normalize(body: Region) -> Names:
    """Rewrites the structured control flow of a body to `scf.if`, `scf.while` and `scf.execute_region`."""
    names: Names = {}
    for op in list(_structured(body)):
        match op:
            case ForOp():
                names[_for_to_while(op)] = op.name
            case IndexSwitchOp():
                names |= dict.fromkeys(_switch_to_ifs(op), op.name)
            case _:
                pass
    return names


def spread_reduced(body: Region) -> None:
    """Spreads the operands of reductions by a region over the lanes, which the operations in the region combine."""
    for op in operations_of(body, AllReduceOp):
        if op.op is None:
            spread = simt.SpreadOp(op.value)
            _insert_before(op, spread)
            op.operands[0] = spread.result


def _structured(body: Region) -> Iterator[Operation]:
    """Yields the structured control flow in a body, outer operations first; not within operations of other kinds."""
    for block in body.blocks:
        for op in block.ops:
            if op.regions and isinstance(op, ForOp | IfOp | IndexSwitchOp | WhileOp | ExecuteRegionOp):
                yield op
                for region in op.regions:
                    yield from _structured(region)


def _insert_before(place: Operation, *ops: Operation) -> None:
    block = place.parent_block()
    assert block is not None
    inherit_location(place, *ops)
    block.insert_ops_before(ops, place)


def _terminator(region: Region) -> Operation:
    assert region.last_block is not None and region.last_block.last_op is not None
    return region.last_block.last_op


def _for_to_while(op: ForOp) -> WhileOp:
    types = [argument.type for argument in op.body.block.args]
    before = Block(arg_types=types)
    more = CmpiOp(before.args[0], op.ub, "slt")
    condition = ConditionOp(more.result, *before.args)
    inherit_location(op, more, condition)
    before.add_ops((more, condition))
    end = _terminator(op.body)
    stepped = _following_number(op)
    following = YieldOp(stepped, *end.operands)
    inherit_location(op, stepped, following)
    _insert_before(end, stepped, following)
    Rewriter.erase_op(end)
    loop = WhileOp((op.lb, *op.iter_args), types, Region(before), Region())
    op.body.move_blocks(loop.after_region)
    _insert_before(op, loop)
    Rewriter.replace_op(op, [], list(loop.results[1:]))
    return loop


def _following_number(op: ForOp) -> Operation:
    """Returns the operation that computes the counter of the next iteration, which must not wrap around."""
    counter, step, end = op.body.block.args[0], known_step(op), constant_index(op.ub)
    if step == 1 or (step is not None and end is not None and end + step <= type_limit(counter.type)):
        return AddiOp(counter, op.step)
    return simt.AdvanceOp(counter, op.step, op.ub)


def _switch_to_ifs(op: IndexSwitchOp) -> list[Operation]:
    """Replaces a switch by nested choices, the first case outermost, and returns the choices."""
    cases = [int(value) for value in op.cases.iter_values()]
    if len(cases) > _MAX_CASES:
        raise CompileError(op, f"has {len(cases)} cases: up to {_MAX_CASES} are supported in a kernel")
    otherwise, *regions = op.regions
    for region in (otherwise, *regions):
        op.detach_region(region)
    chain: list[Operation] = []
    choices: list[Operation] = []
    for value, region in reversed(list(zip(cases, regions, strict=True))):
        if chain:
            rest = [*chain, YieldOp(*chain[-1].results)]
            inherit_location(op, *rest)
            otherwise = Region(Block(rest))
        number = ConstantOp(IntegerAttr(value, IndexType()))
        equal = CmpiOp(op.arg, number.result, "eq")
        choices.append(IfOp(equal, op.result_types, region, otherwise))
        chain = [number, equal, choices[-1]]
    if not chain:
        chain = [ExecuteRegionOp(op.result_types, otherwise)]
    _insert_before(op, *chain)
    Rewriter.replace_op(op, [], list(chain[-1].results))
    return choices


def lift_divergent(body: Region, differences: Callable[[], LaneDifferences], names: Names) -> LaneDifferences:
    """Structures regions with branches whose conditions differ between the work-items of a subgroup.

    `differences` returns what differs in the body as it is; the result is what it returns in the end.
    """
    while True:
        found = differences()
        branches = (op for op in operations_of(body, ConditionalBranchOp) if op.cond in found.values)
        if (branch := next(branches, None)) is None:
            return found
        region = branch.parent_region()
        assert region is not None
        names.update(dict.fromkeys(lift(region), branch.name))


def to_blocks(body: Region, divergent: Set[SSAValue], names: Names) -> None:
    """Replaces the operations that `normalize` leaves by blocks; operations of other kinds stay.

    `divergent` are the values that may differ between the work-items of a subgroup, `names` those that `normalize`
    returned. Raises `CompileError` for operations that cannot be performed by some work-items only.
    """
    _check_whole_subgroups(body, divergent)
    for op in reversed(list(_structured(body))):
        match op:
            case IfOp():
                if op.cond in divergent:
                    _check_mergeable(op, names, op.result_types)
                _Choice(op).lower(op.cond in divergent)
            case WhileOp():
                if leaves_apart := _condition(op).condition in divergent:
                    _check_mergeable(op, names, [*op.operand_types, *op.result_types])
                _Loop(op).lower(leaves_apart)
            case ExecuteRegionOp():
                _inline(op)
            case _:
                pass


def _condition(op: WhileOp) -> ConditionOp:
    end = _terminator(op.before_region)
    assert isinstance(end, ConditionOp)
    return end


def _check_whole_subgroups(body: Region, divergent: Set[SSAValue]) -> None:
    for op in operations_in(body):
        if _needs_whole_subgroup(op) and (choice := deciding_choice(op, divergent)) is not None:
            raise CompileError(
                op,
                "is done by all work-items of a subgroup together, but here some of them may be left out",
                [note(choice, "the condition here differs between the work-items")],
            )


def _needs_whole_subgroup(op: Operation) -> bool:
    if type(op) in _BY_LANE:
        return not any(isinstance(o.type, TensorDescType) and o.type.lane_map is not None for o in op.operands)
    return type(op) in _WHOLE_SUBGROUP


def _check_mergeable(op: Operation, names: Names, types: Sequence[Attribute]) -> None:
    for type in types:
        if element_type(type) is None:
            raise CompileError(
                op.location,
                f"'{names.get(op, op.name)}' op gives a value of type {type} by a condition that differs between the "
                "work-items of a subgroup: only scalars and vectors can differ",
            )


class _Lowering:
    """Blocks that replace an operation: `head` ends before it, `tail` begins after it.

    All operations that are made get the location of `op`.
    """

    def __init__(self, op: Operation):
        block = op.parent_block()
        assert block is not None and block.parent is not None
        self.op, self.region, self.head = op, block.parent, block
        self.tail = Block()
        rest: list[Operation] = []
        following = op.next_op
        while following is not None:
            rest.append(following)
            following = following.next_op
        for moved in rest:
            block.detach_op(moved)
        self.tail.add_ops(rest)  # before it is in a region: xDSL looks at all regions around a block for each operation
        self.region.insert_block_after(self.tail, block)

    def add(self, block: Block, *ops: Operation) -> None:
        """Appends operations to a block."""
        inherit_location(self.op, *ops)
        block.add_ops(ops)

    def block(self, types: Sequence[Attribute] = ()) -> Block:
        """Returns a new block in front of the tail."""
        block = Block(arg_types=types)
        self.region.insert_block_before(block, self.tail)
        return block

    def inline(self, region: Region) -> tuple[Block, Block, Operation]:
        """Moves the blocks of a region in front of the tail; returns the first, the last, and its terminator."""
        first, last = region.first_block, region.last_block
        assert first is not None and last is not None and last.last_op is not None
        end = last.detach_op(last.last_op)
        region.move_blocks_before(self.tail)
        return first, last, end

    def finish(self, results: Sequence[SSAValue]) -> None:
        """Replaces the operation's results by values."""
        for result, value in zip(self.op.results, results, strict=True):
            result.replace_all_uses_with(value)
        Rewriter.erase_op(self.op)

    def tail_arguments(self) -> list[SSAValue]:
        """Returns arguments of the tail for the results of the operation."""
        types = list(self.op.result_types)
        return [self.tail.insert_arg(type, index) for index, type in enumerate(types)]


class _Choice(_Lowering):
    """Lowers `scf.if`."""

    def __init__(self, op: IfOp):
        super().__init__(op)
        self.choice = op

    def lower(self, divergent: bool) -> None:
        if not divergent:
            self._uniform()
        elif self._trivial_else() is not None:
            self._without_else()
        else:
            self._both_sides()

    def _uniform(self) -> None:
        op = self.choice
        results = self.tail_arguments()
        starts: list[Block] = []
        for region in (op.true_region, op.false_region):
            if region.first_block is None:
                starts.append(self.tail)
                continue
            first, last, end = self.inline(region)
            self.add(last, BranchOp(self.tail, *end.operands))
            end.erase()
            starts.append(first)
        self.add(self.head, ConditionalBranchOp(op.cond, starts[0], (), starts[1], ()))
        self.finish(results)

    def _trivial_else(self) -> Sequence[SSAValue] | None:
        """Returns the values of a side that does nothing else."""
        region = self.choice.false_region
        if region.first_block is None:
            return ()
        # Blocks are not counted: chains of choices have had those of the inner ones added.
        is_alone, only = region.first_block is region.last_block, region.first_block.first_op
        return tuple(only.operands) if is_alone and isinstance(only, YieldOp) else None

    def _without_else(self) -> None:
        op, otherwise = self.choice, self._trivial_else()
        assert otherwise is not None
        starts = [simt.SpreadOp(value) for value in otherwise]
        self.add(self.head, *starts)
        first, last, end = self.inline(op.true_region)
        merged = [simt.MergeOp(s.result, value) for s, value in zip(starts, end.operands, strict=True)]
        join = self.block(op.result_types)
        self.add(self.head, simt.WhereOp(op.cond, first, join, [s.result for s in starts]))
        self.add(last, *merged, BranchOp(join, *(m.result for m in merged)))
        self.add(join, simt.SimtJoinOp(self.tail))
        end.erase()
        self.finish(join.args)

    def _both_sides(self) -> None:
        op = self.choice
        types = op.result_types
        starts = [simt.UndefinedOp(type) for type in types]
        self.add(self.head, *starts)
        first, last, end = self.inline(op.true_region)
        middle = self.block(types)
        other_first, other_last, other_end = self.inline(op.false_region)
        join = self.block(types)
        self.add(self.head, simt.WhereOp(op.cond, first, middle, [s.result for s in starts]))
        merged = [simt.MergeOp(s.result, value) for s, value in zip(starts, end.operands, strict=True)]
        self.add(last, *merged, simt.SimtGotoOp(join, middle, [m.result for m in merged]))
        self.add(middle, simt.SimtJoinOp(other_first, join, middle.args))
        merged = [simt.MergeOp(old, value) for old, value in zip(middle.args, other_end.operands, strict=True)]
        self.add(other_last, *merged, BranchOp(join, *(m.result for m in merged)))
        self.add(join, simt.SimtJoinOp(self.tail))
        end.erase()
        other_end.erase()
        self.finish(join.args)


class _Loop(_Lowering):
    """Lowers `scf.while`: both regions alternate, and values of the first one leave the loop."""

    def __init__(self, op: WhileOp):
        super().__init__(op)
        self.loop = op

    def lower(self, divergent: bool) -> None:
        op = self.loop
        outgoing = self._outgoing()
        start, test, condition = self.inline(op.before_region)
        assert isinstance(condition, ConditionOp)
        following, latch, end = self.inline(op.after_region)
        for argument, value in zip(list(following.args), condition.args, strict=True):
            argument.replace_all_uses_with(value)
            following.erase_arg(argument)
        carried, again = list(op.arguments), list(end.operands)
        results = list(condition.args)
        if divergent:
            again = self._kept(latch, start.args, again)
            for index in outgoing:
                undefined = simt.UndefinedOp(results[index].type)
                self.add(self.head, undefined)
                left = simt.MergeOp(start.insert_arg(results[index].type, len(start.args)), results[index])
                self.add(test, left)
                carried.append(undefined.result)
                again.append(left.result)
                results[index] = left.result
            join = self.block()
            self.add(test, simt.WhereOp(condition.condition, following, join))
            self.add(join, simt.SimtJoinOp(self.tail))
        else:
            self.add(test, ConditionalBranchOp(condition.condition, following, (), self.tail, ()))
        self.add(self.head, BranchOp(start, *carried))
        self.add(latch, BranchOp(start, *again))
        condition.erase()
        end.erase()
        self.finish(results)

    def _kept(self, latch: Block, old: Sequence[SSAValue], again: Sequence[SSAValue]) -> list[SSAValue]:
        """Returns the carried values: channels that have left the loop keep theirs."""
        kept: list[SSAValue] = []
        for before, value in zip(old, again, strict=True):
            if value is not before:
                merge = simt.MergeOp(before, value)
                self.add(latch, merge)
                value = merge.result
            kept.append(value)
        return kept

    def _outgoing(self) -> list[int]:
        """Returns results that a later iteration would overwrite in channels that have left the loop."""
        op = self.loop
        inside = op.before_region
        arguments = set(inside.blocks[0].args)
        found = []
        for index, (value, result) in enumerate(zip(_condition(op).args, op.results, strict=True)):
            owner = value.owner
            block = owner if isinstance(owner, Block) else owner.parent_block()
            assert block is not None
            if any(result.uses) and value not in arguments and block.parent is inside:
                found.append(index)
        return found


def _inline(op: ExecuteRegionOp) -> None:
    """Lowers `scf.execute_region`: each of its blocks may leave it."""
    lowering = _Lowering(op)
    results = lowering.tail_arguments()
    blocks = list(op.region.blocks)
    op.region.move_blocks_before(lowering.tail)
    for block in blocks:
        end = block.last_op
        if isinstance(end, YieldOp):
            block.detach_op(end)
            lowering.add(block, BranchOp(lowering.tail, *end.operands))
            end.erase()
    lowering.add(lowering.head, BranchOp(blocks[0]))
    lowering.finish(results)
