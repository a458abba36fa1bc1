"""The levels whose layouts are propagated, and the layouts that anchors have by default."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute

from passes.support.matrix_operands import fragment_maps, matrix_step
from xegpu.dialects.xegpu import (
    LLVM22_LANES,
    DistributionAttr,
    DpasOp,
    LayoutAttr,
    SliceAttr,
    element_bits,
    packing_factor,
)
from xegpu.targets import Target

_DPAS_ROWS = 8
_STORE_ROWS = (8, 4, 2, 1)
_PREFETCH_ROWS = (32, 16, 8, 4, 2, 1)


class LayoutKind(ABC):
    """A level of layouts: the field that marks it, and the layouts that anchors have where a file says nothing."""

    field: str

    def has(self, layout: Attribute | None) -> bool:
        """Returns whether an attribute is a layout of this level."""
        root = layout.root if isinstance(layout, SliceAttr) else layout
        return isinstance(root, LayoutAttr) and self.field in root.given

    @abstractmethod
    def block(self, shape: Sequence[int], element: Attribute, *, is_prefetch: bool = False) -> DistributionAttr | None:
        """Returns the layout of a block that is stored or prefetched; None where it has none."""

    @abstractmethod
    def elements(self, shape: Sequence[int], element: Attribute, chunk: int) -> DistributionAttr | None:
        """Returns the layout of a value with an address for each element, or for each chunk."""

    @abstractmethod
    def product(self, op: DpasOp) -> Sequence[DistributionAttr | None]:
        """Returns the layouts of A, B and C of a product of matrices."""


class SubgroupKind(LayoutKind):
    """Layouts over the subgroups of a work-group: only those that a file has spread."""

    field = "sg_layout"

    def block(self, shape: Sequence[int], element: Attribute, *, is_prefetch: bool = False) -> DistributionAttr | None:
        return None

    def elements(self, shape: Sequence[int], element: Attribute, chunk: int) -> DistributionAttr | None:
        return None

    def product(self, op: DpasOp) -> Sequence[DistributionAttr | None]:
        return (None, None, None)


class InstructionKind(LayoutKind):
    """Blocks of single instructions."""

    field = "inst_data"

    def __init__(self, target: Target):
        self._target = target

    def block(self, shape: Sequence[int], element: Attribute, *, is_prefetch: bool = False) -> DistributionAttr | None:
        columns = LLVM22_LANES * max(1, 16 // element_bits(element))
        columns = columns if shape[-1] % columns == 0 else LLVM22_LANES
        if shape[-1] % columns:
            return None
        if len(shape) == 1:
            return LayoutAttr(inst_data=[columns])
        rows = next(rows for rows in (_PREFETCH_ROWS if is_prefetch else _STORE_ROWS) if shape[-2] % rows == 0)
        return LayoutAttr(inst_data=[*[1] * (len(shape) - 2), rows, columns])

    def elements(self, shape: Sequence[int], element: Attribute, chunk: int) -> DistributionAttr | None:
        *outer, lanes = shape[:-1] if chunk > 1 else shape
        if lanes % LLVM22_LANES:
            return None
        return LayoutAttr(inst_data=[*[1] * len(outer), LLVM22_LANES, *([chunk] if chunk > 1 else [])])

    def product(self, op: DpasOp) -> Sequence[DistributionAttr | None]:
        assert isinstance(op.result.type, VectorType)
        (m, n), depth = op.result.type.get_shape(), matrix_step(op, self._target)
        rows = next(rows for rows in range(_DPAS_ROWS, 0, -1) if m % rows == 0)
        if n % LLVM22_LANES:
            return (None, None, None)
        return tuple(
            LayoutAttr(inst_data=shape) for shape in ([rows, depth], [depth, LLVM22_LANES], [rows, LLVM22_LANES])
        )


class LaneKind(LayoutKind):
    """Elements of the lanes of a subgroup."""

    field = "lane_layout"

    def __init__(self, target: Target):
        self._target = target

    def block(self, shape: Sequence[int], element: Attribute, *, is_prefetch: bool = False) -> DistributionAttr | None:
        width = max(1, 16 // element_bits(element)) if len(shape) > 1 else 1
        width = width if shape[-1] % (LLVM22_LANES * width) == 0 else 1
        if shape[-1] % (LLVM22_LANES * width):
            return None
        ones = [1] * (len(shape) - 1)
        return LayoutAttr(lane_layout=[*ones, LLVM22_LANES], lane_data=[*ones, width])

    def elements(self, shape: Sequence[int], element: Attribute, chunk: int) -> DistributionAttr | None:
        *outer, lanes = shape[:-1] if chunk > 1 else shape
        if lanes % LLVM22_LANES:
            return None
        ones = [1] * len(outer)
        if chunk == 1:
            return LayoutAttr(lane_layout=[*ones, LLVM22_LANES], lane_data=[*ones, 1])
        width = packing_factor(element) if chunk % packing_factor(element) == 0 else 1
        return LayoutAttr(lane_layout=[*ones, LLVM22_LANES, 1], lane_data=[*ones, 1, width])

    def product(self, op: DpasOp) -> Sequence[DistributionAttr | None]:
        assert isinstance(op.lhs.type, VectorType)
        return tuple(sg_map.as_layout() for sg_map in fragment_maps(op.lhs.type.element_type, self._target))


def layout_kinds(target: Target) -> dict[str, LayoutKind]:
    """Returns the kinds by the names that users give them."""
    return {"subgroup": SubgroupKind(), "inst": InstructionKind(target), "lane": LaneKind(target)}
