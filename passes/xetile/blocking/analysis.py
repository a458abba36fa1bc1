"""The blocking analysis: chooses a block size for every vector and every tile of a kernel.

Vectors connected by loops, conditionals, branches and elementwise operations share one size. Operations request sizes:
those of the hardware, or those implied by the sizes of their other operands and results. Of several requests, the
vector gets the most rows and the fewest columns: dividing rows of one register each costs nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from passes.support.control_flow import CARRIERS, branch_operands, loop_operands, region_operands
from passes.support.tiles.webs import tile_webs
from passes.support.vectors.elementwise import vector_shape
from passes.xetile.blocking.grid import Grid, Shape
from passes.xetile.blocking.requests import requests
from passes.xetile.blocking.shapes import shape_of, works_block_by_block
from passes.xetile.blocking.sizes import Sizes
from passes.xetile.blocking.tile_blocks import tile_block
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.vector import vector_type

MAX_BLOCKS = 4096
"""The maximum number of blocks of one vector or tile."""


@dataclass(eq=False)
class _Web:
    """Vectors that have one shape and one block size."""

    values: list[SSAValue] = field(default_factory=list)
    users: list[Operation] = field(default_factory=list)
    """The operations that use or define one of them."""
    block: Shape | None = None
    is_fixed: bool = False
    """True if the vectors are not divided."""

    def ask(self, block: Shape) -> bool:
        """Handles a request. Returns whether it changes the block size."""
        if self.is_fixed:
            return False
        if self.block is not None:
            *rows, columns = zip(self.block, block, strict=True)
            block = (*map(max, rows), min(columns))
        changed = block != self.block
        self.block = block
        return changed


class BlockingAnalysis:
    """The block sizes of one kernel.

    Raises `CompileError` for a kernel with tiles as arguments, for a product that no blocks fill, and for too many
    blocks.
    """

    def __init__(self, function: FuncOp, sizes: Sizes):
        self._sizes = sizes
        self._webs = _vector_webs(function)
        self._settle(function)
        self._tiles: dict[SSAValue, Shape] = {}
        for web in tile_webs(function):
            self._tiles.update(dict.fromkeys(web.values, tile_block(web, sizes, self._known)))
        for op in function.walk():
            if op.name.startswith("xetile."):
                self._check_counts(op)

    def block(self, value: SSAValue) -> Shape | None:
        """Returns the block of a vector or tile; None for other values, and for undivided ones."""
        return self._tiles[value] if value in self._tiles else self._known(value)

    def _check_counts(self, op: Operation) -> None:
        """Refuses values of so many blocks that compilation would take too long."""
        for value in (*op.operands, *op.results):
            shape, block = shape_of(value), self.block(value)
            if shape is None or block is None or (count := Grid(shape, block).count) <= MAX_BLOCKS:
                continue
            shown = "x".join(map(str, block))
            raise CompileError(
                op, f"divides {value.type} into {count} blocks of {shown}: expected at most {MAX_BLOCKS}"
            )

    # Vectors

    def _known(self, value: SSAValue) -> Shape | None:
        web = self._webs.get(value)
        return None if web is None else web.block

    def _settle(self, function: FuncOp) -> None:
        """Propagates requests to a fixed point; then starts again from a web without any, and so on."""
        self._pass_on(function.walk(reverse=True))
        for web in reversed(dict.fromkeys(self._webs.values())):
            if web.block is None and not web.is_fixed and _is_of_tiles(web):
                web.ask(self._default(web))
                self._pass_on(web.users)

    def _pass_on(self, ops: Iterable[Operation]) -> None:
        """Lets operations make requests, and then the operations that these affect."""
        pending = deque(ops)
        waiting = set(pending)
        while pending:
            op = pending.popleft()
            waiting.remove(op)
            for value, block in requests(op, self._sizes, self._known):
                web = self._webs.get(value)
                if web is not None and web.ask(block):
                    concerned = [user for user in web.users if user not in waiting]
                    pending.extend(concerned)
                    waiting.update(concerned)

    def _default(self, web: _Web) -> Shape:
        types = dict.fromkeys(vector_type(value) for value in web.values)
        blocks = [self._sizes.vector(tuple(type.get_shape()), type.element_type) for type in types]
        *outer, columns = zip(*blocks, strict=True)
        return (*map(max, outer), min(columns))


def _is_of_tiles(web: _Web) -> bool:
    return any(op.name.startswith("xetile.") for op in web.users)


def _vector_webs(function: FuncOp) -> dict[SSAValue, _Web]:
    """The web of each vector of fixed size."""
    webs: dict[SSAValue, _Web] = {}
    for value, is_fixed in _vectors(function):
        webs[value] = _Web([value], is_fixed=is_fixed)
    for op in function.walk():
        for value, other in _ties(op):
            if value in webs and other in webs:
                _join(webs, webs[value], webs[other])
    for op in function.walk():
        for web in dict.fromkeys(webs[value] for value in (*op.operands, *op.results) if value in webs):
            web.users.append(op)
    return webs


def _join(webs: dict[SSAValue, _Web], web: _Web, other: _Web) -> None:
    """Adds the smaller web to the larger one."""
    if web is other:
        return
    if len(web.values) < len(other.values):
        web, other = other, web
    web.values.extend(other.values)
    web.is_fixed |= other.is_fixed
    webs.update(dict.fromkeys(other.values, web))


def _vectors(function: FuncOp) -> Iterator[tuple[SSAValue, bool]]:
    """All vectors, and which stay whole: arguments of the kernel, and what passes in and out of unknown regions."""
    for op in function.walk():
        is_fixed = bool(op.regions) and type(op) not in CARRIERS
        for region in op.regions:
            for block in region.blocks:
                stays = is_fixed and block is region.blocks[0]
                yield from ((argument, stays) for argument in block.args if vector_shape(argument) is not None)
        yield from ((result, is_fixed) for result in op.results if vector_shape(result) is not None)


def _ties(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Pairs of vectors that are of one block size."""
    yield from branch_operands(op)
    yield from region_operands(op)
    yield from loop_operands(op)
    if works_block_by_block(op):
        first, *others = (value for value in (*op.operands, *op.results) if vector_shape(value) is not None)
        yield from ((first, other) for other in others)
