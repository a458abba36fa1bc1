"""The forms that tiles take in XeGPU."""

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

_MAX_ACCESSES = 4096
"""The maximum number of accesses that one operation may become; more would hardly fit a kernel."""


class TileForm(ABC):
    """The values that replace each tile of a web, and the operations on them."""

    def __init__(self, web: TileWeb, target: Target):
        self.web, self.target = web, target

    @property
    def tile(self) -> TileType:
        return self.web.type

    @property
    @abstractmethod
    def types(self) -> Sequence[Attribute]:
        """The types of the values that replace a tile."""

    @abstractmethod
    def init(self, builder: OpBuilder, op: InitTileOp) -> Parts:
        """Creates the values of a new tile."""

    @abstractmethod
    def update(self, builder: OpBuilder, op: UpdateTileOffsetOp, parts: Parts) -> Parts:
        """Returns the values of a tile that has moved."""

    @abstractmethod
    def access(self, builder: OpBuilder, op: Operation, parts: Parts) -> Sequence[SSAValue]:
        """Emits an access of a tile. Returns the replacements of its results."""


def refuse(op: Operation, tile: TileType) -> NoReturn:
    """Raises `CompileError` for an operation on a tile that has no lowering."""
    raise CompileError(op, f"of {tile} cannot be lowered")


def check_access_count(op: Operation, accesses: int) -> None:
    """Raises `CompileError` for an operation that would become too many accesses."""
    if accesses > _MAX_ACCESSES:
        raise CompileError(op, f"takes {accesses} accesses: expected at most {_MAX_ACCESSES}")


def memory_space_of(tile: TileType) -> MemorySpace | None:
    """Returns the memory space that descriptors name; None for global memory, the default."""
    return MemorySpace.SLM if tile.memory_space == MemorySpace.SLM.number else None


def block_descriptor(tile: TileType) -> TensorDescType:
    """Returns the type of the descriptor of a block, in memory order."""
    shape = tile.get_shape()
    lanes = None if tile.sg_map is None else tile.sg_map.lane_map
    return TensorDescType(
        shape[::-1] if tile.is_column_major else shape,
        tile.element_type,
        map=None if lanes is None else SgMapAttr(lanes.layout, lanes.data),
    )


def lane_descriptor(tile: TileType, lanes: int) -> TensorDescType:
    """Returns the type of a descriptor of one element of a tile per lane."""
    return TensorDescType([lanes], tile.element_type, ScatterTensorDescAttr(memory_space_of(tile)))
