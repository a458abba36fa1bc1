"""Infers how the values of a kernel are shared by subgroups.

Inference starts from the maps in the kernel. Other values are shared like the values that they are computed from, and
those still unknown like the values that they are used for. Maps only determine owners, so a bad choice costs time but
is never wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Attribute, Operation, SSAValue

from passes.support.control_flow import branch_operands, loop_operands, region_operands
from passes.support.tiles.webs import TileWeb, tile_webs
from passes.xetile.wg_to_sg.rules import (
    is_distributable_elementwise,
    is_leaf,
    is_vector,
    map_of,
    operand_sharing,
    result_sharing,
    sharing_of,
)
from passes.xetile.wg_to_sg.sharing import Sharing
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream import BroadcastInterface, ReductionInterface, TransposeInterface
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.vector import ShapeCastOp
from xegpu.dialects.xetile import (
    AtomicRMWOp,
    ConvertLayoutOp,
    LoadOp,
    LoadTileOp,
    PrefetchTileOp,
    TileMMAOp,
    TileType,
    WgMapAttr,
)


def flows(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Yields (value, value that the operation forwards to it)."""
    yield from branch_operands(op)
    yield from region_operands(op)
    yield from loop_operands(op)


def subgroups_of(function: FuncOp) -> int | None:
    """Returns the number of subgroups that the maps of a kernel distribute over; None without maps.

    Raises `CompileError` if the maps disagree.
    """
    found: dict[int, WgMapAttr] = {}
    for op in function.walk():
        for wg_map in _maps(op):
            rows, columns = wg_map.layout
            found.setdefault(rows * columns, wg_map)
            if len(found) > 1:
                (one, first), (two, second) = found.items()
                raise CompileError(
                    op,
                    "expected all maps of a kernel to distribute over the same number of subgroups: "
                    f"{first} distributes over {one}, {second} over {two}",
                )
    return next(iter(found), None)


def _maps(op: Operation) -> Iterator[WgMapAttr]:
    yield from (value for value in (*op.properties.values(), *op.attributes.values()) if isinstance(value, WgMapAttr))
    types: list[Attribute] = [value.type for value in op.results]
    types.extend(argument.type for region in op.regions for block in region.blocks for argument in block.args)
    for type_ in types:
        if isinstance(type_, TileType) and type_.wg_map is not None:
            yield type_.wg_map


class Inference:
    """The sharings of the values of one kernel."""

    def __init__(self, function: FuncOp):
        self._ops = list(function.walk())
        self._same: dict[SSAValue, list[SSAValue]] = {}
        self.sharings: dict[SSAValue, Sharing] = {}
        webs = tile_webs(function)
        for op in self._ops:
            self._tie(op)
        for web in webs:
            if web.type.wg_map is not None:
                for tile in web.values:
                    self.sharings[tile] = Sharing.of(web.type.wg_map, web.type.get_shape())
        for op in self._ops:
            self._start(op)
        while self._forward(guess=False) or self._backward() or self._forward(guess=True):
            pass
        for web in webs:
            self._transpose(web)

    def set(self, value: SSAValue, sharing: Sharing) -> None:
        """Records the sharing of a value, and of those that are the same value in other iterations or branches."""
        for same in self._same.get(value, (value,)):
            self.sharings[same] = sharing

    def _tie(self, op: Operation) -> None:
        """Ties the values, in a loop body and after it, that receive the same operand: they have one sharing."""
        by_source: dict[SSAValue, SSAValue] = {}
        for target, source in flows(op):
            if is_vector(target):
                first = self._same.setdefault(by_source.setdefault(source, target), [by_source[source]])
                other = self._same.setdefault(target, [target])
                if first is not other:
                    first.extend(other)
                    for member in other:
                        self._same[member] = first

    def _start(self, op: Operation) -> None:
        """Takes the sharings that the kernel states."""
        if isinstance(op, LoadTileOp | LoadOp | AtomicRMWOp):
            tile = op.source if isinstance(op, LoadTileOp) else op.tile
            if tile in self.sharings:
                self.set(op.results[0], self.sharings[tile])
        elif isinstance(op, ConvertLayoutOp):
            self.set(op.result, sharing_of(op, "wg_map_result", op.wg_map_result, op.result))
        elif isinstance(op, TileMMAOp):
            if op.wg_map_c is not None:
                self.set(op.output, sharing_of(op, "wg_map_c", op.wg_map_c, op.output))
        elif (wg_map := map_of(op)) is not None:
            for result in op.results:
                if is_vector(result) and (
                    is_leaf(op)
                    or is_distributable_elementwise(op)
                    or isinstance(op, TransposeInterface | BroadcastInterface)
                ):
                    self.set(result, sharing_of(op, "map", wg_map, result))

    def _forward(self, *, guess: bool) -> bool:
        """Propagates sharings from operands to results. Returns whether anything changed."""
        changed = False
        for op in self._ops:
            for target, source in flows(op):
                if source in self.sharings and target not in self.sharings and is_vector(target):
                    self.set(target, self.sharings[source])
                    changed = True
            if any(is_vector(result) and result not in self.sharings for result in op.results):
                sharing = result_sharing(op, self.sharings, guess=guess)
                if sharing is not None:
                    for result in op.results:
                        self.set(result, sharing)
                    changed = True
        return changed

    def _backward(self) -> bool:
        """Propagates sharings from results to operands. Returns whether anything changed."""
        changed = False
        for op in reversed(self._ops):
            for target, source in flows(op):
                if target in self.sharings and source not in self.sharings and is_vector(source):
                    self.set(source, self.sharings[target])
                    changed = True
            for index, operand in enumerate(op.operands):
                if operand not in self.sharings and is_vector(operand):
                    sharing = operand_sharing(op, index, self.sharings)
                    if sharing is not None and can_be_shared(operand):
                        self.set(operand, sharing)
                        changed = True
        return changed

    def _transpose(self, web: TileWeb) -> None:
        """Shares tiles that are only loaded to be transposed such that transposing needs no exchange."""
        if web.type.wg_map is None or not all(isinstance(op, LoadTileOp | PrefetchTileOp) for op in web.accesses):
            return
        users = [use.operation for load in web.accesses for value in load.results for use in value.uses]
        if not users or not all(isinstance(user, TransposeInterface) for user in users):
            return
        wanted = {operand_sharing(user, 0, self.sharings) for user in users}
        sharing = wanted.pop()
        if wanted or sharing is None:
            return
        for value in (*web.values, *(value for load in web.accesses for value in load.results)):
            self.sharings[value] = sharing


def is_leaf_value(value: SSAValue) -> bool:
    """Returns whether each subgroup can create any part of the value."""
    return isinstance(value.owner, Operation) and is_leaf(value.owner)


def can_be_shared(value: SSAValue) -> bool:
    """Returns whether a value of unknown sharing can be created part by part."""
    op = value.owner
    if not isinstance(op, Operation):
        return True  # carried by a loop: its sources decide
    return (
        is_leaf(op)
        or is_distributable_elementwise(op)
        or isinstance(op, TransposeInterface | BroadcastInterface | ReductionInterface | ShapeCastOp | TileMMAOp)
        or op.name.startswith("scf.")
    )
