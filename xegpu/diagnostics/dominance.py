"""Which uses of values are not dominated by the definition."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation, Region, SSAValue

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
    """The dominator tree of a region: the blocks that each reachable block immediately dominates.

    The algorithm of Cooper, Harvey and Kennedy: dominators of predecessors meet, in reverse postorder, until nothing
    changes.
    """
    entry = region.blocks[0]
    order = _reverse_postorder(entry)
    number = {block: index for index, block in enumerate(order)}
    predecessors: list[list[int]] = [[] for _ in order]
    for block in order:
        for successor in _successors(block):
            predecessors[number[successor]].append(number[block])
    dominator: list[int | None] = [0, *[None] * (len(order) - 1)]

    def meet(a: int, b: int) -> int:
        while a != b:
            if a < b:
                a, b = b, a
            above = dominator[a]
            assert above is not None
            a = above
        return a

    changed = True
    while changed:
        changed = False
        for index in range(1, len(order)):
            new: int | None = None
            for predecessor in predecessors[index]:
                if dominator[predecessor] is not None:
                    new = predecessor if new is None else meet(new, predecessor)
            if new != dominator[index]:
                dominator[index] = new
                changed = True

    children: dict[Block, list[Block]] = {block: [] for block in order}
    for index in range(1, len(order)):
        above = dominator[index]
        assert above is not None
        children[order[above]].append(order[index])
    return children


def _successors(block: Block) -> tuple[Block, ...]:
    last = block.last_op
    return () if last is None else tuple(b for b in last.successors if b.parent is block.parent)


def _reverse_postorder(entry: Block) -> list[Block]:
    seen = {entry}
    postorder: list[Block] = []
    pending = [(entry, iter(_successors(entry)))]
    while pending:
        block, successors = pending[-1]
        for successor in successors:
            if successor not in seen:
                seen.add(successor)
                pending.append((successor, iter(_successors(successor))))
                break
        else:
            postorder.append(block)
            pending.pop()
    return postorder[::-1]
