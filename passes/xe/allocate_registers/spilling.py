"""Evicts webs from the register file when it is too small.

Cheap values are rematerialized at their uses. General registers are spilled to scratch memory, flags to general
registers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue, Use
from xdsl.rewriter import Rewriter

from passes.xe.allocate_registers.coalescing import Web, Webs
from passes.xe.allocate_registers.liveness import branch_pairs
from xegpu.dialects.xe import (
    FLAG_BYTES,
    AluOp,
    CopyOp,
    FillOp,
    FlagType,
    GRFType,
    InstructionOp,
    SpillOp,
    UndefOp,
    register_type,
)

_LOOP_WEIGHT = 10.0
"""The assumed trip count of a loop."""
_MAX_UPDATE_DISTANCE = 8
"""The maximum number of instructions between two partial writes of a block without a spill in between."""
_SCRATCH_COST = 4.0
"""The cost of moving a byte to or from scratch, relative to a byte that an instruction writes."""


def loop_depths(body: Region) -> dict[Block, int]:
    """Returns the loop depth of each block; every backward branch in block order counts as a loop."""
    order = {block: index for index, block in enumerate(body.blocks)}
    changes = [0] * (len(order) + 1)
    for block, index in order.items():
        terminator = block.last_op
        for target in terminator.successors if terminator is not None else ():
            if order[target] <= index:
                changes[order[target]] += 1
                changes[index + 1] -= 1
    return dict(zip(order, itertools.accumulate(changes), strict=False))


def can_recompute(web: Web, webs: Webs) -> bool:
    """Returns whether a web is the result of one instruction whose operands are live at all its uses.

    Instructions under an execution mask do not qualify: the mask may differ elsewhere.
    """
    if len(web.values) != 1:
        return False
    (value,) = web.values
    op = value.owner
    if not isinstance(op, AluOp) or op.tied is not None or len(op.results) != 1:
        return False
    if op.flag is not None or op.no_mask is None:
        return False
    uses = [webs.liveness.positions[use.operation] for use in value.uses]
    for operand in op.operands:
        segments = webs.liveness.segments[operand]
        if not all(any(start <= use < end for start, end in segments) for use in uses):
            return False
    return True


@dataclass
class Choice:
    """Chooses the web whose eviction frees most registers for least traffic; `settled` values must stay."""

    body: Region
    webs: Webs
    settled: set[SSAValue]
    stuck: Web | None = None
    """The web that does not fit where nothing can be evicted."""

    def __post_init__(self) -> None:
        self._gains: dict[Web, float] = {}

    @cached_property
    def _depths(self) -> dict[Block, int]:
        return loop_depths(self.body)

    def __call__(self, stuck: Web, in_the_way: Iterable[Web]) -> Web | None:
        """Returns the web to evict when `stuck` does not fit; None if nothing can be evicted."""
        best = max((stuck, *in_the_way), key=self._gain)
        if self._gain(best) > 0:
            return best
        self.stuck = stuck
        return None

    def _gain(self, web: Web) -> float:
        if web not in self._gains:
            self._gains[web] = self._compute_gain(web)
        return self._gains[web]

    def _compute_gain(self, web: Web) -> float:
        if web.fixed is not None or any(value in self.settled for value in web.values):
            return 0.0
        cost = 1.0 if can_recompute(web, self.webs) else _SCRATCH_COST
        return web.size * sum(end - start for start, end in web.segments) / (cost * self._traffic(web))

    def _traffic(self, web: Web) -> float:
        """Returns the bytes read and written in the web, weighted by the depth of loops around."""
        total = 1.0
        for value in web.values:
            owner = value.owner
            blocks = [owner if isinstance(owner, Block) else owner.parent_block()]
            blocks += [use.operation.parent_block() for use in value.uses]
            total += sum(_LOOP_WEIGHT ** self._depths[b] for b in blocks if b is not None) * web.size
        return total


def evict(webs: list[Web], all_webs: Webs, new_slot: Callable[[int], int]) -> set[SSAValue]:
    """Evicts webs from their registers; `new_slot` returns a new slot for a number of bytes.

    Returns the short-lived values that replace them. Rematerialization comes first, since it may use spilled values.
    """
    again = [web for web in webs if can_recompute(web, all_webs)]
    made: set[SSAValue] = set()
    for web in again:
        _recompute(web.values[0], made)
    for web in webs:
        if web in again:
            continue
        if web.is_flag:
            _save_flag(web.values[0], made)
        else:
            _spill(web, new_slot(web.size), made)
    return made


def _before_uses(uses: Sequence[Use], make: Callable[[], Operation], made: set[SSAValue]) -> None:
    """Gives each user of a value a copy of its own, inserted in front of it."""
    users: dict[Operation, SSAValue] = {}
    for use in uses:
        user = use.operation
        if user not in users:
            op = make()
            op.location = user.location
            block = user.parent_block()
            assert block is not None
            block.insert_op_before(op, user)
            users[user] = op.results[0]
        user.operands[use.index] = users[user]
    made.update(users.values())


def _insert_after(value: SSAValue, op: Operation) -> None:
    owner = value.owner
    assert isinstance(owner, Operation)
    op.location = owner.location
    block = owner.parent_block()
    assert block is not None
    block.insert_op_after(op, owner)


def _recompute(value: SSAValue, made: set[SSAValue]) -> None:
    op = value.owner
    assert isinstance(op, AluOp)
    _before_uses(list(value.uses), op.clone, made)
    Rewriter.erase_op(op)


def _save_flag(value: SSAValue, made: set[SSAValue]) -> None:
    """Saves a flag in a dword of a general register."""
    uses = list(value.uses)
    save = CopyOp(value, GRFType(FLAG_BYTES, FLAG_BYTES))
    _before_uses(uses, lambda: CopyOp(save.result, FlagType()), made)
    _insert_after(value, save)
    made.add(value)


def _spill(web: Web, slot: int, made: set[SSAValue]) -> None:
    """Keeps the values of a web in a scratch slot: stores after each definition, loads before each use.

    A block that several instructions write piece by piece is stored as a whole.
    """
    members = set(web.values)
    arguments = [v for v in web.values if isinstance(v, BlockArgument)]
    _drop_passed_values(arguments, members)
    for value in web.values:
        if isinstance(value.owner, UndefOp):
            _before_uses(list(value.uses), partial(UndefOp, register_type(value)), made)
        elif _is_updated_next(value):
            made.add(value)
        else:
            _before_uses(list(value.uses), partial(FillOp, slot, register_type(value)), made)
            if not isinstance(value, BlockArgument):
                _insert_after(value, SpillOp(value, slot))
                made.add(value)
    for argument in arguments:
        argument.block.erase_arg(argument)


def _is_updated_next(value: SSAValue) -> bool:
    """Returns whether the only use of an instruction's result is an update by one of the next instructions."""
    users = {use.operation for use in value.uses}
    following = value.owner.next_op if isinstance(value.owner, Operation) else None
    for _ in range(_MAX_UPDATE_DISTANCE):
        if following is None or following in users:
            break
        following = following.next_op
    return users == {following} and isinstance(following, InstructionOp) and following.tied is value


def _drop_passed_values(arguments: Sequence[BlockArgument], members: set[SSAValue]) -> None:
    """Removes branch operands whose values are already in the slot of the block argument: they share its web."""
    wanted = set(arguments)
    users = {use.operation: None for value in members for use in value.uses} if arguments else {}
    for terminator in users:
        if not terminator.successors:
            continue
        dropped: set[int] = set()
        for passed, _, index in branch_pairs(terminator):
            if passed in wanted:
                dropped.add(index)
        if dropped:
            terminator.operands = [o for i, o in enumerate(terminator.operands) if i not in dropped]
