"""Rules that xDSL's own memref ops leave unchecked, as traits to add to them.

https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from math import prod

from xdsl.dialects import memref as base
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, ArrayAttr, IntegerAttr, MemRefType
from xdsl.ir import Operation
from xdsl.traits import OpTrait, SymbolTable
from xdsl.utils.bitwise_casts import is_power_of_two
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.memref.globals import GlobalOp
from xegpu.dialects.upstream.memref.types import ranked_memref

Extent = int | None
"""A size, stride or offset; None where only the run knows it."""


def _static(values: Sequence[int]) -> list[Extent]:
    return [None if value == DYNAMIC_INDEX else value for value in values]


def _times(a: Extent, b: Extent) -> Extent:
    if 0 in (a, b):
        return 0
    return None if a is None or b is None else a * b


def _total(values: Sequence[Extent]) -> Extent:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _word(value: Extent) -> str:
    return "?" if value is None else str(value)


class SubviewRules(OpTrait):
    """The result of a subview has the type that its operands describe, or the same without some unit dimensions."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, base.SubviewOp)
        source, result = ranked_memref(op.source), ranked_memref(op.result)
        offsets, sizes, steps = (
            _static(part.get_values()) for part in (op.static_offsets, op.static_sizes, op.static_strides)
        )
        rank = source.get_num_dims()
        for values, what in ((offsets, "offset"), (sizes, "size"), (steps, "stride")):
            if len(values) != rank:
                raise VerifyException(f"expected {rank} {what} values, got {len(values)}")
        if (source.element_type, source.memory_space) != (result.element_type, result.memory_space):
            raise VerifyException(f"different element types or memory spaces of {source} and {result}")
        self._verify_bounds(source, offsets, sizes, steps)
        pitches = source.get_strides()
        if pitches is None:
            return
        strides = list(map(_times, pitches, steps))
        offset = _total([source.get_offset(), *map(_times, pitches, offsets)])
        self._verify_result(result, offset, list(zip(sizes, strides, strict=True)))

    @staticmethod
    def _verify_bounds(
        source: MemRefType, offsets: Sequence[Extent], sizes: Sequence[Extent], steps: Sequence[Extent]
    ) -> None:
        for dim, (extent, offset, size, step) in enumerate(
            zip(_static(source.get_shape()), offsets, sizes, steps, strict=True)
        ):
            if (size is not None and size < 0) or (offset is not None and offset < 0):
                raise VerifyException(f"expected offset and size of at least 0, got {_word(offset)} and {_word(size)}")
            if extent is None or offset is None or size is None or step is None or size == 0:
                continue
            if (last := offset + (size - 1) * step) >= extent:
                raise VerifyException(f"slice along dimension {dim} runs out-of-bounds: {last} >= {extent}")

    @staticmethod
    def _verify_result(result: MemRefType, offset: Extent, dims: Sequence[tuple[Extent, Extent]]) -> None:
        strides = result.get_strides()
        if strides is None:
            return
        wanted = list(zip(_static(result.get_shape()), strides, strict=True))
        rest = iter(wanted)
        want = next(rest, None)
        for size, stride in dims:
            if want == (size, stride):
                want = next(rest, None)
            elif size != 1:
                break
        else:
            if want is None and result.get_offset() == offset:
                return
        layout = f"strided<[{', '.join(_word(stride) for _, stride in dims)}], offset: {_word(offset)}>"
        shape = "x".join(_word(size) for size, _ in dims)
        raise VerifyException(
            f"expected a result of shape {shape} and layout {layout}, or that without unit dimensions, got {result}"
        )


class ReassociationRules(OpTrait):
    """Each dimension of the collapsed memref is a group of neighbours of the expanded one."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, base.CollapseShapeOp | base.ExpandShapeOp)
        source, result = ranked_memref(op.src), ranked_memref(op.result)
        if (source.element_type, source.memory_space) != (result.element_type, result.memory_space):
            raise VerifyException(f"different element types or memory spaces of {source} and {result}")
        expanded, collapsed = (source, result) if isinstance(op, base.CollapseShapeOp) else (result, source)
        assert isa(op.reassociation, ArrayAttr[ArrayAttr[IntegerAttr]])
        groups = [[entry.value.data for entry in group] for group in op.reassociation]
        if len(groups) != collapsed.get_num_dims():
            raise VerifyException(f"expected {collapsed.get_num_dims()} reassociation groups, got {len(groups)}")
        if groups and [dim for group in groups for dim in group] != list(range(expanded.get_num_dims())):
            raise VerifyException(
                f"expected reassociation groups of dimensions 0 to {expanded.get_num_dims() - 1}, got {groups}"
            )
        shape = expanded.get_shape()
        for group, size in zip_longest(groups, collapsed.get_shape()):
            sizes = [shape[dim] for dim in group]
            is_dynamic = DYNAMIC_INDEX in sizes
            if is_dynamic != (size == DYNAMIC_INDEX) or (not is_dynamic and prod(sizes) != size):
                raise VerifyException(
                    f"collapsed dim size ({_word(*_static([size]))}) must equal reassociation group size "
                    f"({'?' if is_dynamic else prod(sizes)})"
                )
        if isinstance(op, base.ExpandShapeOp) and op.static_output_shape.get_values() != shape:
            given = [_word(size) for size in _static(op.static_output_shape.get_values())]
            raise VerifyException(f"expected output_shape of {result}, got [{', '.join(given)}]")


class LayoutSymbolRules(OpTrait):
    """An allocation has an operand for each symbol of its layout's map."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, base.AllocOp | base.AllocaOp)
        layout = ranked_memref(op.memref).layout
        expected = layout.data.num_symbols if isinstance(layout, AffineMapAttr) else len(op.symbol_operands)
        if len(op.symbol_operands) != expected:
            raise VerifyException(
                "symbol operand count does not equal memref symbol count: "
                f"expected {expected}, got {len(op.symbol_operands)}"
            )


class AssumedAlignmentRules(OpTrait):
    """The alignment is a power of two."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, base.AssumeAlignmentOp)
        if not is_power_of_two(op.alignment.value.data):
            raise VerifyException(f"alignment must be power of 2, got {op.alignment.value.data}")


class GlobalReferenceRules(OpTrait):
    """The buffer that is named is there, and of the type that is said."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, base.GetGlobalOp)
        buffer = SymbolTable.lookup_symbol(op, op.name_)
        if not isinstance(buffer, GlobalOp):
            raise VerifyException(f"'{op.name_}' does not reference a valid global memref")
        if op.memref.type != buffer.type:
            raise VerifyException(
                f"result type {op.memref.type} does not match type {buffer.type} of the global memref {op.name_}"
            )


def add_rules() -> None:
    """Adds the rules to xDSL's own classes, which its passes match on."""
    base.SubviewOp.traits.add_trait(SubviewRules())
    base.CollapseShapeOp.traits.add_trait(ReassociationRules())
    base.ExpandShapeOp.traits.add_trait(ReassociationRules())
    base.AllocOp.traits.add_trait(LayoutSymbolRules())
    base.AllocaOp.traits.add_trait(LayoutSymbolRules())
    base.GetGlobalOp.traits.add_trait(GlobalReferenceRules())
    base.AssumeAlignmentOp.traits.add_trait(AssumedAlignmentRules())
