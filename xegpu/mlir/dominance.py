"""Finds uses of values that the definition does not dominate; xDSL's verifier does not look for them."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation, Region, SSAValue

from xegpu.graphs import DominatorTree

GRAPH_REGION_OPS = frozenset({"hw.module", "ematch.graph", "equivalence.graph", "eqsat.graph"})
"""Ops whose regions are graphs: the order of operations in them means nothing.

MLIR also counts `builtin.module` and `gpu.module`; here, code in them reads from top to bottom like any other.
"""


def undominated_uses(root: Operation) -> Iterator[tuple[Operation, int]]:
    """Each op below `root` with the number of an operand that is used where it is not defined yet."""
    for region in root.regions:
        yield from _in_region(region, set())


def _in_region(region: Region, visible: set[SSAValue]) -> Iterator[tuple[Operation, int]]:
    """Uses in `region`, where `visible` are the values defined around it; leaves `visible` as it was."""
    if (entry := region.blocks.first) is None:
        return
    parent = region.parent
    if parent is not None and parent.name in GRAPH_REGION_OPS:
        values = {value for block in region.blocks for value in _values(block)} - visible
        visible |= values
        for block in region.blocks:
            for op in block.ops:
                for nested in op.regions:
                    yield from _in_region(nested, visible)
        visible -= values
        return
    children = dominated_blocks(region)
    # Depth first over the dominator tree, without recursion: functions may have many blocks.
    pending: list[tuple[Block, list[SSAValue] | None]] = [(entry, None)]
    while pending:
        block, defined = pending.pop()
        if defined is not None:
            visible.difference_update(defined)
            continue
        defined = []
        pending.append((block, defined))
        yield from _in_block(block, visible, defined)
        pending.extend((child, None) for child in children[block])


def _in_block(block: Block, visible: set[SSAValue], defined: list[SSAValue]) -> Iterator[tuple[Operation, int]]:
    """Uses in `block`; adds its values to `visible` and `defined`."""
    visible.update(block.args)
    defined.extend(block.args)
    for op in block.ops:
        for number, operand in enumerate(op.operands):
            if operand not in visible:
                yield op, number
        for region in op.regions:
            yield from _in_region(region, visible)
        visible.update(op.results)
        defined.extend(op.results)


def _values(block: Block) -> Iterator[SSAValue]:
    yield from block.args
    for op in block.ops:
        yield from op.results


def dominated_blocks(region: Region) -> dict[Block, list[Block]]:
    """Returns the dominator tree of a region: the blocks that each reachable block immediately dominates."""
    return DominatorTree(region.blocks[0], _successors).children


def _successors(block: Block) -> tuple[Block, ...]:
    last = block.last_op
    return () if last is None else tuple(b for b in last.successors if b.parent is block.parent)
