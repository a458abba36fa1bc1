"""Moves webs to scratch memory when the register file is too small."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from passes.xe_allocate_registers.coalescing import Web
from passes.xe_allocate_registers.liveness import branch_pairs
from xegpu.dialects.xe import FillOp, GRFType, SpillOp, UndefOp


def loop_depths(body: Region) -> dict[Block, int]:
    """How many loops each block is in, taking every backward branch in block order as a loop."""
    order = {block: index for index, block in enumerate(body.blocks)}
    depths = dict.fromkeys(body.blocks, 0)
    for block in body.blocks:
        terminator = block.last_op
        for target in terminator.successors if terminator is not None else ():
            if order[target] <= order[block]:
                for inside in list(body.blocks)[order[target] : order[block] + 1]:
                    depths[inside] += 1
    return depths


@dataclass
class Choice:
    """Chooses the web to spill that frees most room for least traffic.

    Webs below `minimum` bytes stay, and so do values that spilling itself made (`settled`).
    """

    body: Region
    minimum: int
    settled: set[SSAValue]

    def __post_init__(self) -> None:
        self._depths = loop_depths(self.body)
        self._gains: dict[Web, float] = {}

    def __call__(self, stuck: Web, in_the_way: Iterable[Web]) -> Web | None:
        """The web to give up when `stuck` finds no room; None when nothing can move."""
        best = max((stuck, *in_the_way), key=self._gain)
        return best if self._gain(best) > 0 else None

    def _gain(self, web: Web) -> float:
        if web not in self._gains:
            self._gains[web] = self._compute_gain(web)
        return self._gains[web]

    def _compute_gain(self, web: Web) -> float:
        if web.is_flag or web.fixed is not None or web.size < self.minimum:
            return 0.0
        if any(value in self.settled for value in web.values):
            return 0.0
        return web.size * sum(end - start for start, end in web.segments) / _traffic(web, self._depths)


def _traffic(web: Web, depths: dict[Block, int]) -> float:
    """Bytes moved to and from scratch, a loop counting tenfold."""
    total = 1.0
    for value in web.values:
        owner = value.owner
        block = owner if isinstance(owner, Block) else owner.parent_block()
        accesses = [block] if block is not None else []
        accesses += [b for use in value.uses if (b := use.operation.parent_block()) is not None]
        total += sum(10.0 ** depths.get(b, 0) for b in accesses) * web.size
    return total


def slot_bytes(web: Web) -> int:
    """Bytes of scratch that a web takes: what messages move are qwords."""
    return -(-web.size // 8) * 8


def spill(web: Web, slot: int) -> list[SSAValue]:
    """Keeps the web's values at byte `slot` of scratch: stores after each definition, loads before each use.

    Returns the short-lived values that this makes.
    """
    made: list[SSAValue] = []
    members = set(web.values)
    arguments = [v for v in web.values if isinstance(v, BlockArgument)]
    for argument in arguments:
        _drop_passed_values(argument, members)
    for value in web.values:
        for use in list(value.uses):
            operation = use.operation
            type = value.type
            assert isinstance(type, GRFType)
            fill = FillOp(slot, type)
            fill.location = operation.location
            block = operation.parent_block()
            assert block is not None
            block.insert_op_before(fill, operation)
            operation.operands[use.index] = fill.result
            made.append(fill.result)
    for value in web.values:
        if isinstance(value, BlockArgument):
            continue
        owner = value.owner
        assert isinstance(owner, Operation)
        if isinstance(owner, UndefOp):
            continue
        store = SpillOp(value, slot)
        store.location = owner.location
        block = owner.parent_block()
        assert block is not None
        block.insert_op_after(store, owner)
        made.append(value)
    for argument in arguments:
        argument.block.erase_arg(argument)
    return made


def _drop_passed_values(argument: BlockArgument, members: set[SSAValue]) -> None:
    """Branches need not pass a value that stands in the argument's slot already."""
    region = argument.block.parent
    assert region is not None
    for block in region.blocks:
        terminator = block.last_op
        if terminator is None:
            continue
        for passed, operand, index in list(branch_pairs(terminator)):
            if passed is argument:
                assert operand in members, "a block argument shares its web with every value passed to it"
                terminator.operands = [o for i, o in enumerate(terminator.operands) if i != index]
                break
