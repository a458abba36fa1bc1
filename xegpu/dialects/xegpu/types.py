"""Types of the XeGPU dialect."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    BFloat16Type,
    BoolAttr,
    FixedBitwidthType,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatTF32Type,
    IntAttr,
    IntegerType,
    NoneAttr,
)
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.shaped import ShapeAndElement
from xegpu.dialects.xegpu.attributes import (
    MAX_I64,
    NO_CHECKS_IN_ONE_DIMENSION,
    BlockTensorDescAttr,
    MemorySpace,
    ScatterTensorDescAttr,
)
from xegpu.dialects.xegpu.distribution import Distribution, LaneMap, Shape2D, gather_fragment
from xegpu.dialects.xegpu.lane_maps import DistributionAttr, LaneMapAttr, LayoutAttr
from xegpu.dialects.xegpu.ownership import distribution_obstacle
from xegpu.dialects.xegpu.tdesc_attr import TensorDescAttr

INTEGER_WIDTHS = (1, 8, 16, 32, 64)
FLOAT_TYPES = (Float16Type, BFloat16Type, FloatTF32Type, Float32Type, Float64Type)


def descriptor_type(value: SSAValue) -> TensorDescType:
    """The type of a value that is known to be a descriptor."""
    assert isinstance(value.type, TensorDescType)
    return value.type


def is_scalar(element: Attribute) -> bool:
    """Returns whether descriptors and vectors of XeGPU may hold elements of this type."""
    if isinstance(element, IntegerType):
        return element.bitwidth in INTEGER_WIDTHS
    return isinstance(element, FLOAT_TYPES)


def narrow_note(element: Attribute) -> str:
    """Returns, for elements that only upstream has, why they are refused."""
    if not isinstance(element, FixedBitwidthType) or element.bitwidth > 8 or element.bitwidth == 1:
        return ""
    if isinstance(element, IntegerType):
        return ": integers of 4 bits are supported as parts of bytes only"
    return ": floats of 8 and 4 bits are those of later GPUs (Xe3p)"


def element_bits(element: Attribute) -> int:
    """Bits that one element takes in memory and in registers."""
    if isinstance(element, FloatTF32Type):
        return 32
    assert isinstance(element, FixedBitwidthType)
    return element.bitwidth


def packing_factor(element: Attribute) -> int:
    """Elements that one 32-bit word holds, at least 1: the VNNI factor."""
    return max(1, 32 // element_bits(element))


@irdl_attr_definition
class NbarrierType(ParametrizedAttribute, TypeAttribute):
    """`!xegpu.nbarrier`: a named barrier."""

    name = "xegpu.nbarrier"


@irdl_attr_definition
class TensorDescType(ShapeAndElement):
    """Describes a tile of memory: dense blocks, or (with a scatter attribute) one address a lane.

    `!xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>,
    #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>`

    Without an encoding it is one dense block of global memory with checked bounds. Instead of the `sg_map` a
    `#xegpu.layout`, or a `#xegpu.slice` of one, may stand. The `#xegpu.tdesc_attr` of LLVM 19 is read and becomes a
    block or scatter attribute.
    """

    name = "xegpu.tensor_desc"
    encoding: BlockTensorDescAttr | ScatterTensorDescAttr | NoneAttr
    map: LaneMapAttr | NoneAttr

    def __init__(
        self,
        shape: Sequence[int],
        element_type: Attribute,
        encoding: BlockTensorDescAttr | ScatterTensorDescAttr | None = None,
        map: LaneMapAttr | None = None,
    ):
        super().__init__(
            ArrayAttr(IntAttr(size) for size in shape),
            element_type,
            NoneAttr() if encoding is None else encoding,
            NoneAttr() if map is None else map,
        )

    @property
    def tile(self) -> Shape2D:
        """The two innermost dimensions, [rows, columns]; a type of rank 1 has one row."""
        shape = self.get_shape()
        return (1, shape[0]) if len(shape) == 1 else (shape[-2], shape[-1])

    # What the encoding says, defaults filled in

    @property
    def is_scattered(self) -> bool:
        return isinstance(self.encoding, ScatterTensorDescAttr)

    @property
    def memory_space(self) -> MemorySpace:
        if isinstance(self.encoding, NoneAttr) or isinstance(self.encoding.memory_space, NoneAttr):
            return MemorySpace.GLOBAL
        return self.encoding.memory_space.data

    @property
    def array_length(self) -> int:
        if not isinstance(self.encoding, BlockTensorDescAttr) or isinstance(self.encoding.array_length, NoneAttr):
            return 1
        return self.encoding.array_length.value.data

    @property
    def boundary_check(self) -> bool:
        """Returns whether loads give zeros beyond the memory, and stores leave out what lies there."""
        if not isinstance(self.encoding, BlockTensorDescAttr) or isinstance(self.encoding.boundary_check, NoneAttr):
            return True
        return bool(self.encoding.boundary_check.value.data)

    @property
    def chunk_size(self) -> int:
        if not isinstance(self.encoding, ScatterTensorDescAttr) or isinstance(self.encoding.chunk_size, NoneAttr):
            return 1
        return self.encoding.chunk_size.value.data

    # Distribution

    @property
    def lane_map(self) -> LaneMap | None:
        """The distribution of the tile over lanes, in whichever spelling, or None."""
        return None if isinstance(self.map, NoneAttr) else self.map.lane_map

    def distribution(self, transposed: bool = False) -> Distribution | None:
        """Returns the distribution of the block over lanes, or None without a map."""
        if (lane_map := self.lane_map) is None:
            return None
        return Distribution(self.tile, lane_map, transposed, self.array_length)

    def fragment_shape(self) -> tuple[int, ...] | None:
        """Shape of the fragment that one lane loads or stores, or None without a map."""
        if (lane_map := self.lane_map) is None:
            return None
        if self.is_scattered:
            return gather_fragment(self.chunk_size, lane_map)
        return Distribution(self.tile, lane_map, blocks=self.array_length).fragment

    def with_map(self, map: LaneMapAttr | None) -> TensorDescType:
        """The same descriptor, shared by lanes in another way, or (None) of the subgroup as a whole."""
        encoding = None if isinstance(self.encoding, NoneAttr) else self.encoding
        if self.get_num_dims() == 1 and self._states_checks and isinstance(encoding, BlockTensorDescAttr):
            encoding = encoding.with_default_checks()
        return TensorDescType(self.get_shape(), self.element_type, encoding, map)

    @property
    def _states_checks(self) -> bool:
        """Returns whether the text says `boundary_check = true`, rather than nothing."""
        encoding = self.encoding
        return isinstance(encoding, BlockTensorDescAttr) and encoding.boundary_check == BoolAttr.from_bool(True)

    def means_same_as(self, other: TensorDescType) -> bool:
        """Returns whether both types are equal once defaults are filled in."""
        return self._meaning == other._meaning

    @property
    def _meaning(self) -> tuple[object, ...]:
        return (
            self.shape,
            self.element_type,
            self.lane_map,
            self.is_scattered,
            self.memory_space,
            self.array_length,
            self.boundary_check,
            self.chunk_size,
        )

    # Text

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        encoding: Attribute = NoneAttr()
        map: Attribute = NoneAttr()
        with parser.in_angle_brackets():
            if parser.parse_optional_punctuation("-") is not None:
                parser.raise_error(f"expected dimensions from 1 to {MAX_I64}, got a negative one")
            shape, element_type = parser.parse_ranked_shape()
            while parser.parse_optional_punctuation(",") is not None:
                position = parser.pos
                attribute = parser.parse_attribute()
                if isinstance(attribute, LaneMapAttr):
                    if not isinstance(map, NoneAttr) and map.name != attribute.name:
                        parser.raise_error(
                            f"expected either #xegpu.sg_map or #xegpu.layout, got {map} and {attribute}",
                            position,
                            parser.pos,
                        )
                    map = attribute
                elif isinstance(attribute, TensorDescAttr):
                    encoding = attribute.encoding(shape)
                elif isinstance(attribute, BlockTensorDescAttr | ScatterTensorDescAttr):
                    encoding = attribute
                else:
                    parser.raise_error(
                        "Failed to parse the attribute field for TensorDescType: expected #xegpu.block_tdesc_attr, "
                        f"#xegpu.scatter_tdesc_attr, #xegpu.sg_map or #xegpu.layout, got {attribute}",
                        position,
                        parser.pos,
                    )
        return [ArrayAttr(IntAttr(size) for size in shape), element_type, encoding, map]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            self.print_shape_and_element(printer)
            for attribute in (self.encoding, self.map):
                if not isinstance(attribute, NoneAttr):
                    printer.print_string(", ")
                    printer.print_attribute(attribute)

    # Verification

    def verify(self) -> None:
        if not is_scalar(self.element_type):
            raise VerifyException(
                f"expected elements of i1, i8, i16, i32, i64 (of any signedness), f16, bf16, tf32, f32 or f64, "
                f"got {self.element_type}{narrow_note(self.element_type)}"
            )
        shape = self.get_shape()
        if not shape:
            raise VerifyException("expected non-zero rank tensor")
        for size in shape:
            if size != DYNAMIC_INDEX and not 1 <= size <= MAX_I64:
                raise VerifyException(f"expected dimensions from 1 to {MAX_I64}, got {size}")
        if self.is_scattered:
            self._verify_scattered()
        elif len(shape) > 1 and self.memory_space is MemorySpace.SLM:
            raise VerifyException(f"SLM is only supported for 1D block tensor, got rank {len(shape)}")
        if not isinstance(self.map, NoneAttr):
            self._verify_map(self.map)

    def _verify_scattered(self) -> None:
        shape, chunk, factor = self.get_shape(), self.chunk_size, packing_factor(self.element_type)
        if len(shape) == 1:
            if chunk != 1:
                raise VerifyException(f"expected non-contiguous elements for 1D tensor, got chunk size {chunk}")
            return
        if shape[-1] != chunk:
            raise VerifyException(f"expected last dim of tensor to match chunk size {chunk}, got {shape[-1]}")
        if shape[-1] % factor != 0:
            raise VerifyException(f"expected last dim of tensor to be a multiple of {factor}, got {shape[-1]}")

    def _verify_map(self, map: LaneMapAttr) -> None:
        if isinstance(map, DistributionAttr):
            self._verify_layout(map)
            return
        lanes = map.lane_map
        if self.get_num_dims() == 1 and self._states_checks:
            raise VerifyException(NO_CHECKS_IN_ONE_DIMENSION)
        if self.get_num_dims() > 2:
            raise VerifyException(f"an sg_map distributes 1D and 2D tensors, got rank {self.get_num_dims()}")
        if self.get_num_dims() == 1 and (lanes.layout[0] != 1 or lanes.data[0] != 1):
            raise VerifyException(
                f"outer layout distribution and data mapping must be 1 for 1D tensor, got {lanes.layout[0]} "
                f"and {lanes.data[0]}"
            )
        if self.is_scattered:
            if lanes.data[0] != 1:
                raise VerifyException(
                    f"cannot map over non-contiguous scattered row elements, got {lanes.data[0]} rows in wi_data"
                )
            # A lane of a gather without chunks owns one element, however narrow.
            contiguous = 1 if self.chunk_size == 1 else packing_factor(self.element_type)
            if lanes.data[1] != contiguous:
                raise VerifyException(
                    "work item data mapping must match the number of contiguous elements, expected the last entry of "
                    f"wi_data to be {contiguous}, got {lanes.data[1]}"
                )
        for size, layout, data in zip(self.tile, lanes.layout, lanes.data, strict=True):
            if size != DYNAMIC_INDEX and (size < layout * data or size % (layout * data) != 0):
                raise VerifyException(f"cannot distribute {size} over {layout} work items with {data} elements each")

    def _verify_layout(self, layout: DistributionAttr) -> None:
        if layout.rank != self.get_num_dims():
            raise VerifyException(
                f"expected layout rank to match tensor rank {self.get_num_dims()}, got rank {layout.rank} of {layout}"
            )
        lane_data = layout.given.get("lane_data") if isinstance(layout, LayoutAttr) else None
        if self.is_scattered and self.chunk_size > 1 and lane_data is not None:
            factor = packing_factor(self.element_type)
            if lane_data[-1] % factor != 0:
                raise VerifyException(
                    f"expected last dim of lane_data to be a multiple of: {factor}, got {lane_data[-1]}"
                )
        if self.has_static_shape() and (obstacle := distribution_obstacle(layout, self.get_shape())) is not None:
            raise VerifyException(f"cannot distribute {list(self.get_shape())} using {layout}: {obstacle}")
