"""The matrix multiply-accumulate op."""

from __future__ import annotations

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, FloatTF32Type, IntegerType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.diagnostics import about
from xegpu.dialects.xegpu import rules
from xegpu.dialects.xegpu.distribution import LaneMap
from xegpu.dialects.xegpu.lane_maps import DISTRIBUTION, DistributionAttr, LayoutAttr, SgMapAttr
from xegpu.dialects.xegpu.syntax import parse_dictionaries
from xegpu.dialects.xegpu.types import narrow_note, packing_factor

SG_MAPS = ("sg_map_a", "sg_map_b", "sg_map_c")
LAYOUTS = ("layout_a", "layout_b", "layout_cd")
MAP_NAMES = SG_MAPS + LAYOUTS

FLOAT_ACCUMULATORS: dict[type[Attribute], tuple[type[Attribute], ...]] = {
    Float16Type: (Float32Type, Float16Type),
    BFloat16Type: (Float32Type, BFloat16Type),
    FloatTF32Type: (Float32Type,),
}


def is_legal_combination(element: Attribute, accumulator: Attribute) -> bool:
    """Returns whether dpas multiplies elements of type `element` and accumulates them as `accumulator`."""
    if isinstance(element, IntegerType):
        return element.bitwidth == 8 and isinstance(accumulator, IntegerType) and accumulator.bitwidth == 32
    return isinstance(accumulator, FLOAT_ACCUMULATORS.get(type(element), ()))


@irdl_op_definition
class DpasOp(IRDLOperation):
    """`acc + lhs * rhs`, or `lhs * rhs` without an accumulator.

    `%d = xegpu.dpas %a, %b, %c : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>`

    `rhs` is [K, N] or VNNI-packed [K/v, N, v]; with a packed `rhs`, `lhs` is [M, K] or [M, K/v, v]. With the three
    sg_maps, or the three layouts of newer generations, operands and result may be fragments of a lane.
    """

    name = "xegpu.dpas"
    lhs = operand_def()
    rhs = operand_def()
    acc = opt_operand_def()
    result = result_def()
    sg_map_a = opt_prop_def(SgMapAttr)
    sg_map_b = opt_prop_def(SgMapAttr)
    sg_map_c = opt_prop_def(SgMapAttr)
    layout_a = opt_prop_def(DISTRIBUTION)
    layout_b = opt_prop_def(DISTRIBUTION)
    layout_cd = opt_prop_def(DISTRIBUTION)

    traits = traits_def(Pure())

    def __init__(
        self,
        lhs: SSAValue | Operation,
        rhs: SSAValue | Operation,
        acc: SSAValue | Operation | None,
        result_type: VectorType,
        sg_maps: tuple[SgMapAttr, SgMapAttr, SgMapAttr] | None = None,
    ):
        super().__init__(
            operands=[lhs, rhs, acc],
            result_types=[result_type],
            properties={} if sg_maps is None else dict(zip(SG_MAPS, sg_maps, strict=True)),
        )

    @property
    def sg_maps(self) -> tuple[SgMapAttr, SgMapAttr, SgMapAttr] | None:
        """The sg_maps of lhs, rhs and result, or None if the op has none."""
        if self.sg_map_a is None or self.sg_map_b is None or self.sg_map_c is None:
            return None
        return (self.sg_map_a, self.sg_map_b, self.sg_map_c)

    @property
    def layouts(self) -> tuple[DistributionAttr | None, DistributionAttr | None, DistributionAttr | None]:
        """The layouts of lhs, rhs and result, None where the op has none."""
        return (self.layout_a, self.layout_b, self.layout_cd)

    @property
    def lane_maps(self) -> tuple[LaneMap, LaneMap, LaneMap] | None:
        """The distributions of lhs, rhs and result over lanes, in whichever spelling; None unless all are known."""
        maps = [
            map.lane_map if isinstance(map, SgMapAttr | LayoutAttr) else None for map in self.sg_maps or self.layouts
        ]
        a, b, c = maps
        return None if a is None or b is None or c is None else (a, b, c)

    @classmethod
    def parse(cls, parser: Parser) -> DpasOp:
        position = parser.pos
        operands = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        if len(operands) not in (2, 3):
            parser.raise_error(f"expected 2 or 3 operands, got {len(operands)}", position, parser.pos)
        properties, attributes = parse_dictionaries(parser, cls)
        parser.parse_punctuation(":")
        position = parser.pos
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        parser.parse_punctuation("->")
        result_type = parser.parse_type()
        return cls.create(
            operands=parser.resolve_operands(operands, types, position),
            result_types=[result_type],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes({**dict(sorted(self.properties.items())), **self.attributes})
        printer.print_string(" : ")
        printer.print_list(self.operand_types, printer.print_attribute)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        self._verify_sg_maps()
        with about(lhs=self.lhs, rhs=self.rhs, acc=self.acc):
            self._verify_types()
        self._verify_layouts()

    def _verify_types(self) -> None:
        lhs = rules.vector(self.lhs.type, "Expecting a VectorType lhs.")
        rhs = rules.vector(self.rhs.type, "Expecting a VectorType rhs.")
        result = rules.vector(self.result.type, "Expecting a VectorType result.")
        rules.same_element_type(lhs=lhs, rhs=rhs)
        if not is_legal_combination(lhs.element_type, result.element_type):
            raise VerifyException(
                f"cannot multiply {lhs.element_type} by {rhs.element_type} into {result.element_type}: expected f16 "
                "into f32 or f16, bf16 into f32 or bf16, tf32 into f32, or 8-bit integers into 32-bit integers"
                + narrow_note(lhs.element_type)
            )
        if self.acc is not None and self.acc.type != result:
            raise VerifyException(
                f"Expecting the acc type to be the same as result. Accumulator is {self.acc.type}, result is {result}"
            )
        if self.is_of_lanes:
            return  # the fragments of a lane in one dimension; the kernel tells the number of lanes
        maps = self.lane_maps
        if maps is None:
            _verify_whole(lhs, rhs, result)
        else:
            data = "wi_data" if self.sg_maps is not None else "lane_data"
            _verify_mapped(lhs, rhs, result, maps, data)

    @property
    def is_of_lanes(self) -> bool:
        """Returns whether operands and result are fragments of a lane in the form of LLVM 22, vectors of rank 1."""
        types = (self.lhs.type, self.rhs.type, self.result.type)
        return self.sg_maps is None and all(isa(type, VectorType) and type.get_num_dims() == 1 for type in types)

    def _verify_sg_maps(self) -> None:
        """Checks that there are all three sg_maps or none, and no layouts beside them."""
        sg_maps = [name for name in SG_MAPS if name in self.properties]
        layouts = [name for name in LAYOUTS if name in self.properties]
        if sg_maps and (len(sg_maps) < len(SG_MAPS) or layouts):
            raise VerifyException(
                "sg_map attributes for all operands and outputs are expected in SIMT xegpu::Dpas operation: either "
                f"{', '.join(SG_MAPS)} or {', '.join(LAYOUTS)}, got {', '.join(sg_maps + layouts)}"
            )

    def _verify_layouts(self) -> None:
        """Checks that layouts have the rank of the matrices."""
        rank = rules.vector(self.result.type, "Expecting a VectorType result.").get_num_dims()
        for name, layout in zip(LAYOUTS, self.layouts, strict=True):
            if layout is not None and layout.rank != rank:
                raise VerifyException(f"{name}: expected a layout of rank {rank}, got rank {layout.rank} of {layout}")


def _verify_whole(lhs: VectorType, rhs: VectorType, result: VectorType) -> None:
    """Operands are matrices of the whole subgroup."""
    a, b, c = lhs.get_shape(), rhs.get_shape(), result.get_shape()
    if len(c) in (3, 4):
        _verify_batch(a, b, c)
        a, b, c = a[-2:], b[-2:], c[-2:]
    if len(a) not in (2, 3) or len(b) not in (2, 3) or len(c) != 2 or len(a) > len(b):
        raise VerifyException(
            "expecting lhs and result to be a 2D vector, and rhs to be either 2D or 3D (packed) vector. Got "
            f"{lhs}, {rhs} and {result}" + (" (a 3D lhs needs a 3D rhs)" if len(a) == 3 else "")
        )
    factor = packing_factor(rhs.element_type)
    for name, shape in (("lhs", a), ("rhs", b)):
        if len(shape) == 3 and shape[2] != factor:
            raise VerifyException(
                f"expecting the last dimension of a packed {name} to be {factor} for {rhs.element_type}, got {shape[2]}"
            )
    _verify_product(
        (a[0], a[1] * (a[2] if len(a) == 3 else 1)), (b[0] * (b[2] if len(b) == 3 else 1), b[1]), (c[0], c[1])
    )


def _verify_batch(a: tuple[int, ...], b: tuple[int, ...], c: tuple[int, ...]) -> None:
    """A batch of matrices, whose leading dimensions are equal."""
    if not len(a) == len(b) == len(c) or not a[:-2] == b[:-2] == c[:-2]:
        raise VerifyException(
            f"expected equal leading dimensions of a batch of matrices, got {list(a)}, {list(b)} and {list(c)}"
        )


def _verify_mapped(
    lhs: VectorType, rhs: VectorType, result: VectorType, maps: tuple[LaneMap, LaneMap, LaneMap], data: str
) -> None:
    """Operands are still whole or, after distribution, fragments of a lane."""
    try:
        _verify_whole(lhs, rhs, result)
        return
    except VerifyException as error:
        not_whole = f"(as matrices of the whole subgroup: {error})"
    a, b, c = lhs.get_shape(), rhs.get_shape(), result.get_shape()
    if not len(a) == len(b) == len(c) == 2:
        raise VerifyException(
            f"expecting lhs, rhs, and result to be a 2D vector. Got {lhs}, {rhs} and {result} {not_whole}"
        )
    la, lb, lc = maps
    try:
        _verify_product(
            (a[0] * la.layout[0], a[1] * la.layout[1]),
            (b[0] * b[1] * lb.layout[0], lb.layout[1]),
            (c[0] * lc.layout[0], c[1] * lc.layout[1]),
        )
    except VerifyException as error:
        raise VerifyException(f"{error} {not_whole}") from None
    for name, shape, lanes in (("lhs", a, la), ("rhs", b, lb), ("result", c, lc)):
        if shape[1] != lanes.data_size:
            raise VerifyException(
                f"expecting rows of {lanes.data_size} elements in the fragment {name}, as {data} = {list(lanes.data)} "
                f"says, got {shape[1]} {not_whole}"
            )


def _verify_product(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> None:
    """[M, K] times [K, N] gives [M, N]."""
    if a[1] != b[0]:
        raise VerifyException(f"K-dimension mismatch. lhs has {a[1]}, rhs has {b[0]}")
    if a[0] != c[0]:
        raise VerifyException(f"M-dimension mismatch. lhs has {a[0]}, result has {c[0]}")
    if b[1] != c[1]:
        raise VerifyException(f"N-dimension mismatch. rhs has {b[1]}, result has {c[1]}")
