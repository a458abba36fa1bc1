"""Canonicalization leaves every access where it was."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given, strategies as st
from xdsl.dialects.arith import AddiOp, ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, ModuleOp, f16
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.transforms.canonicalize import CanonicalizePass

from tests.unit.xegpu.dialects.support import context, parse
from xegpu.dialects.xetile import InitTileOp, PrefetchTileOp, TileType, UpdateTileOffsetOp
from xegpu.mlir import verify

TILE = TileType([8, 16], f16)
ARGUMENTS = (1000, -70000)
"""The values of the function's index arguments when the test runs it."""


class Place(NamedTuple):
    row: int
    column: int


def prefetched(module: ModuleOp) -> list[Place]:
    """Returns the places that the function of `module` prefetches, in order, modulo the size of an index."""
    (function,) = module.ops
    assert isinstance(function, FuncOp)
    _, *arguments = function.body.block.args
    numbers: dict[SSAValue, int] = dict(zip(arguments, ARGUMENTS, strict=True))
    tiles: dict[SSAValue, Place] = {}
    result: list[Place] = []

    def number(entry: SSAValue | int) -> int:
        return entry if isinstance(entry, int) else numbers[entry]

    for op in function.body.block.ops:
        match op:
            case ConstantOp():
                assert isinstance(op.value, IntegerAttr)
                numbers[op.result] = op.value.value.data
            case AddiOp():
                numbers[op.result] = numbers[op.lhs] + numbers[op.rhs]
            case InitTileOp():
                assert op.mixed_offsets is not None
                tiles[op.tile] = Place(*map(number, op.mixed_offsets))
            case UpdateTileOffsetOp():
                here, (rows, columns) = tiles[op.tile], op.moves
                tiles[op.result] = Place(here.row + number(rows), here.column + number(columns))
            case PrefetchTileOp():
                result.append(Place(*(place % (1 << 64) for place in tiles[op.tile])))
            case _:
                assert isinstance(op, ReturnOp)
    return result


edges = st.sampled_from([0, 1, -1, (1 << 63) - 1, -(1 << 63) + 1, -(1 << 63)])


@st.composite
def modules(draw: st.DrawFn) -> str:
    """The text of a function with tiles that are made, moved from one another, and prefetched or not."""
    block = Block(arg_types=[MemRefType(f16, [96, 80]), IndexType(), IndexType()])
    source, *arguments = block.args
    offset = st.sampled_from(arguments) | st.integers(-64, 64) | edges
    ops: list[Operation] = []

    def index() -> SSAValue:
        entry = draw(offset)
        if isinstance(entry, SSAValue):
            return entry
        ops.append(ConstantOp(IntegerAttr(entry, IndexType())))
        return ops[-1].results[0]

    tiles: list[SSAValue] = []
    for _ in range(draw(st.integers(1, 8))):
        if tiles and draw(st.integers(0, 3)):
            op: Operation = UpdateTileOffsetOp(draw(st.sampled_from(tiles)), (index(), index()))
        else:
            op = InitTileOp(source, [index(), index()], TILE)
        ops.append(op)
        tiles.append(op.results[0])
        if draw(st.booleans()):
            ops.append(PrefetchTileOp(tiles[-1]))
    block.add_ops([*ops, ReturnOp()])
    return str(ModuleOp([FuncOp("f", (block.arg_types, []), Region(block))]))


def canonicalize(module: ModuleOp) -> None:
    CanonicalizePass().apply(context(), module)
    verify(module)


@given(modules())
def test_accesses_stay_where_they_are(text):
    module = parse(text)
    places = prefetched(module)
    canonicalize(module)
    assert prefetched(module) == places


@given(modules())
def test_canonical_form_stays_as_it_is(text):
    module = parse(text)
    canonicalize(module)
    once = str(module)
    canonicalize(module)
    assert str(module) == once
