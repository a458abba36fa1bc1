"""`xegpu.convert_layout`: a vector whose distribution changes."""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AnyOf,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.xegpu.lane_maps import DistributionAttr, LayoutAttr, SgMapAttr, SliceAttr
from xegpu.dialects.xegpu.ownership import distribution_obstacle
from xegpu.dialects.xegpu.syntax import parse_dictionaries, print_dictionaries

_MAP = AnyOf((base(SgMapAttr), base(LayoutAttr), base(SliceAttr)))
_VALUE = VarConstraint("T", AnyAttr())


@irdl_op_definition
class ConvertLayoutOp(IRDLOperation):
    """The same vector, or scalar, distributed as the second layout says and no longer as the first one does.

    `%w = xegpu.convert_layout %v <{input_layout = #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 32]>,
    target_layout = #xegpu.layout<sg_layout = [2, 4], sg_data = [32, 16]>}> : vector<64x64xf16>`

    Two sg_maps, of the vector as a row-major tile, take the place of the layouts in the older generation;
    `xegpu-propagate-sg-map` inserts it where one operation distributes a vector in another way than the next one needs
    it. A vector that its owner has as a whole does not change.
    """

    name = "xegpu.convert_layout"

    source = operand_def(_VALUE)
    result = result_def(_VALUE)
    input_layout = prop_def(_MAP)
    target_layout = prop_def(_MAP)

    traits = traits_def(Pure())

    def __init__(
        self,
        source: SSAValue | Operation,
        input_layout: SgMapAttr | DistributionAttr,
        target_layout: SgMapAttr | DistributionAttr,
    ):
        super().__init__(
            operands=[source],
            result_types=[SSAValue.get(source).type],
            properties={"input_layout": input_layout, "target_layout": target_layout},
        )

    @classmethod
    def parse(cls, parser: Parser) -> ConvertLayoutOp:
        operand = parser.parse_unresolved_operand()
        dictionaries = parse_dictionaries(parser, cls)
        parser.parse_punctuation(":")
        type = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(operand, type)],
            result_types=[type],
            properties=dictionaries.properties,
            attributes=dictionaries.attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        print_dictionaries(printer, self.properties, self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)

    def verify_(self) -> None:
        type, maps = self.source.type, (self.input_layout, self.target_layout)
        if isinstance(type, VectorType) and type.get_num_scalable_dims():
            raise VerifyException(f"expected a vector of fixed size, got {type}")
        if not isinstance(type, VectorType | IntegerType | IndexType | AnyFloat):
            raise VerifyException(f"expected a vector, or a scalar as LLVM 23 has it, got {type}")
        shape = type.get_shape() if isinstance(type, VectorType) else ()
        if isinstance(maps[0], SgMapAttr) is not isinstance(maps[1], SgMapAttr):
            raise VerifyException(f"expected two maps of one kind, got {maps[0]} and {maps[1]}")
        for map in maps:
            if isinstance(map, SgMapAttr):
                _verify_sg_map(map, type)
            elif (
                isinstance(map, LayoutAttr | SliceAttr) and (obstacle := distribution_obstacle(map, shape)) is not None
            ):
                raise VerifyException(f"cannot distribute {type} using {map}: {obstacle}")
        lanes = [map.lane_map.lanes for map in maps if isinstance(map, SgMapAttr)]
        if len(set(lanes)) > 1:
            raise VerifyException(f"expected maps for one number of lanes, got {lanes[0]} and {lanes[1]}")


def _verify_sg_map(map: SgMapAttr, type: Attribute) -> None:
    if not isinstance(type, VectorType) or type.get_num_dims() not in (1, 2):
        raise VerifyException(f"an sg_map distributes vectors of rank 1 and 2, got {type}")
    rows, columns = (1, *type.get_shape())[-2:]
    if not map.lane_map.tiles((rows, columns)):
        raise VerifyException(f"{map} does not divide {type}: units are {'x'.join(str(n) for n in map.lane_map.unit)}")
