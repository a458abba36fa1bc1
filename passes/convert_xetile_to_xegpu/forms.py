"""What a tile becomes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NoReturn

from xdsl.ir import Attribute, Operation, SSAValue

from passes.support.op_builder import OpBuilder
from passes.support.tiles.webs import TileWeb
from xegpu.diagnostics import CompileError
from xegpu.dialects.xegpu import MemorySpace, ScatterTensorDescAttr, SgMapAttr, TensorDescType
from xegpu.dialects.xetile import InitTileOp, TileType, UpdateTileOffsetOp
from xegpu.targets import Target

Parts = Sequence[SSAValue]

_MOST_ACCESSES = 4096
"""Accesses that one operation may become; more hardly fit a kernel."""


class TileForm(ABC):
    """The values that stand for each tile of a web, and what becomes of the operations on them."""

    def __init__(self, web: TileWeb, target: Target):
        self.web, self.target = web, target

    @property
    def tile(self) -> TileType:
        return self.web.type

    @property
    @abstractmethod
    def types(self) -> Sequence[Attribute]:
        """Types of the values that stand for a tile."""

    @abstractmethod
    def init(self, builder: OpBuilder, op: InitTileOp) -> Parts:
        """A tile that is made."""

    @abstractmethod
    def update(self, builder: OpBuilder, op: UpdateTileOffsetOp, parts: Parts) -> Parts:
        """A tile that has moved."""

    @abstractmethod
    def access(self, builder: OpBuilder, op: Operation, parts: Parts) -> Sequence[SSAValue]:
        """What stands for the results of another operation on a tile."""


def refuse(op: Operation, tile: TileType) -> NoReturn:
    """Ends the conversion at an operation on a tile that has no lowering."""
    raise CompileError(op, f"of {tile} cannot be lowered")


def check_number(op: Operation, accesses: int) -> None:
    """Refuses an operation that would become too many others."""
    if accesses > _MOST_ACCESSES:
        raise CompileError(op, f"takes {accesses} accesses: one operation becomes at most {_MOST_ACCESSES}")


def memory_space_of(tile: TileType) -> MemorySpace | None:
    """The memory that descriptors name; None for global memory, which needs no naming."""
    return MemorySpace.SLM if tile.memory_space == MemorySpace.SLM.number else None


def block_descriptor(tile: TileType) -> TensorDescType:
    """The type of the descriptor of a block, in the order of memory."""
    shape = tile.get_shape()
    lanes = None if tile.sg_map is None else tile.sg_map.lane_map
    return TensorDescType(
        shape[::-1] if tile.is_column_major else shape,
        tile.element_type,
        map=None if lanes is None else SgMapAttr(lanes.layout, lanes.data),
    )


def lane_descriptor(tile: TileType, lanes: int) -> TensorDescType:
    """The type of a descriptor of one element of a tile in each of `lanes` lanes."""
    return TensorDescType([lanes], tile.element_type, ScatterTensorDescAttr(memory_space_of(tile)))
