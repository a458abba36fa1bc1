"""`!xegpu.mem_desc`: a matrix in shared local memory, and the order of its elements there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntAttr, IntegerAttr, NoneAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.shaped import ShapeAndElement
from xegpu.dialects.xegpu.types import is_scalar


@irdl_attr_definition
class MemLayoutAttr(ParametrizedAttribute):
    """`#xegpu.mem_layout<block = [16, 16], stride = [1, 64]>`: the order of a matrix's elements in memory.

    `stride` is the distance in elements of two neighbours along each dimension, as if there were no blocks: `[1, rows]`
    is column-major. With `block`, the elements of each block are contiguous, in the same major order. Other keys are
    kept without a meaning.
    """

    name = "xegpu.mem_layout"
    entries: DictionaryAttr

    def __init__(self, stride: Sequence[int] | None = None, block: Sequence[int] | None = None):
        fields = {"block": block, "stride": stride}
        super().__init__(DictionaryAttr({key: _integers(value) for key, value in fields.items() if value is not None}))

    @property
    def stride(self) -> tuple[int, ...] | None:
        return self._list("stride")

    @property
    def block(self) -> tuple[int, ...] | None:
        return self._list("block")

    def _list(self, key: str) -> tuple[int, ...] | None:
        value = self.entries.data.get(key)
        if value is None:
            return None
        assert isa(value, ArrayAttr[IntegerAttr])
        return tuple(entry.value.data for entry in value)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        entries: dict[str, Attribute] = {}

        def entry() -> None:
            position = parser.pos
            key = parser.parse_identifier()
            if key in entries:
                parser.raise_error(f"field '{key}' is given twice", position, parser.pos)
            parser.parse_punctuation("=")
            entries[key] = parser.parse_attribute()

        parser.parse_comma_separated_list(parser.Delimiter.ANGLE, entry)
        return [DictionaryAttr(dict(sorted(entries.items())))]

    def print_parameters(self, printer: Printer) -> None:
        def print_entry(entry: tuple[str, Attribute]) -> None:
            key, value = entry
            printer.print_string(f"{key} = ")
            # The 64-bit entries of these lists are written without their type.
            numbers = (
                self._list(key) if key in ("block", "stride") and value == _integers(self._list(key) or ()) else None
            )
            if numbers is None:
                printer.print_attribute(value)
            else:
                printer.print_string(str(list(numbers)))

        with printer.in_angle_brackets():
            printer.print_list(sorted(self.entries.data.items()), print_entry)

    def verify(self) -> None:
        if not self.entries.data:
            raise VerifyException("expected stride or block, got no field")
        for key in ("stride", "block"):
            value = self.entries.data.get(key)
            if value is not None and not isa(value, ArrayAttr[IntegerAttr]):
                raise VerifyException(f"expected {key} to be a list of integers, got {value}")


def _integers(values: Sequence[int]) -> ArrayAttr[IntegerAttr]:
    return ArrayAttr(IntegerAttr(value, 64) for value in values)


@irdl_attr_definition
class MemDescType(ShapeAndElement):
    """`!xegpu.mem_desc<64x64xf16, #xegpu.mem_layout<stride = [1, 64]>>`: a matrix in shared local memory."""

    name = "xegpu.mem_desc"
    mem_layout: MemLayoutAttr | NoneAttr

    def __init__(self, shape: Sequence[int], element_type: Attribute, mem_layout: MemLayoutAttr | None = None):
        super().__init__(
            ArrayAttr(IntAttr(size) for size in shape), element_type, NoneAttr() if mem_layout is None else mem_layout
        )

    @property
    def stride(self) -> tuple[int, ...]:
        """The strides in elements of the matrix without blocks, row-major unless stated."""
        stated = None if isinstance(self.mem_layout, NoneAttr) else self.mem_layout.stride
        shape = self.get_shape()
        return stated or tuple(prod(shape[dim + 1 :]) for dim in range(len(shape)))

    @property
    def block(self) -> tuple[int, ...]:
        """The shape of the blocks whose elements are contiguous; single elements unless stated."""
        stated = None if isinstance(self.mem_layout, NoneAttr) else self.mem_layout.block
        return stated or (1,) * self.get_num_dims()

    def block_strides(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Returns, in elements, the distances of neighbouring blocks and of neighbours inside a block.

        Element `x` is at the sum over the dimensions of `x // block * outer + x % block * inner`.
        """
        stride, block = self.stride, self.block
        outer, inner = [0] * len(block), [0] * len(block)
        if prod(block) == 1:
            return stride, tuple(inner)
        fast_to_slow = self._fast_to_slow()
        distance = 1
        for dim in fast_to_slow:
            inner[dim] = distance
            distance *= block[dim]
        for dim, extent in zip(fast_to_slow, self._extents(), strict=True):
            outer[dim] = distance
            distance *= extent // block[dim]
        return tuple(outer), tuple(inner)

    def _fast_to_slow(self) -> list[int]:
        """Returns the dimensions in the order of their strides."""
        return sorted(range(self.get_num_dims()), key=lambda dim: (self.stride[dim], -dim))

    def _extents(self) -> list[int]:
        """Returns the elements along each dimension, from the fastest, of the matrix that this one is a part of."""
        dims = self._fast_to_slow()
        strides = [self.stride[dim] for dim in dims]
        return [after // stride for stride, after in pairwise(strides)] + [self.get_shape()[dims[-1]]]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        layout: Attribute = NoneAttr()
        with parser.in_angle_brackets():
            shape, element_type = parser.parse_ranked_shape()
            if parser.parse_optional_punctuation(",") is not None:
                position = parser.pos
                layout = parser.parse_attribute()
                if not isinstance(layout, MemLayoutAttr):
                    parser.raise_error(f"expected #xegpu.mem_layout, got {layout}", position, parser.pos)
        return [ArrayAttr(IntAttr(size) for size in shape), element_type, layout]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            self.print_shape_and_element(printer)
            if not isinstance(self.mem_layout, NoneAttr):
                printer.print_string(", ")
                printer.print_attribute(self.mem_layout)

    def verify(self) -> None:
        if not is_scalar(self.element_type):
            raise VerifyException(f"expected a matrix of scalars, got elements of type {self.element_type}")
        shape = self.get_shape()
        if not shape or any(size < 1 for size in shape):
            raise VerifyException(f"expected a static shape of at least one dimension, got {list(shape)}")
        for name, entries in (("stride", self.stride), ("block", self.block)):
            if len(entries) != len(shape) or any(entry < 1 for entry in entries):
                raise VerifyException(
                    f"expected {name} to have {len(shape)} entries of at least 1, got {list(entries)}"
                )
        if prod(self.block) > 1:
            for dim, extent in zip(self._fast_to_slow(), self._extents(), strict=True):
                if extent < shape[dim] or extent % self.block[dim] != 0:
                    raise VerifyException(
                        f"expected blocks of {list(self.block)} to divide a matrix of {list(shape)} with strides "
                        f"{list(self.stride)}"
                    )
