"""`affine.parallel`, whose custom assembly xDSL lacks, and whose reductions are numbers in MLIR.

https://mlir.llvm.org/docs/Dialects/Affine/#affineparallel-affineaffineparallelop
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.affine import YieldOp
from xdsl.dialects.builtin import (
    I64,
    AffineMapAttr,
    ArrayAttr,
    DenseIntElementsAttr,
    IndexType,
    IntegerAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect, SingleBlockImplicitTerminator
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.affine.ops import closed
from xegpu.dialects.upstream.memref import ATOMIC_KINDS
from xegpu.dialects.upstream.scf.assembly import parse_optional_results, print_results
from xegpu.mlir import parse_affine_expression, print_affine_expression

_INDEX = IndexType()


@irdl_op_definition
class ParallelOp(IRDLOperation):
    """Runs its body for all numbers of a box, in any order, and combines what the iterations yield.

    A lower bound may be the largest of several expressions, an upper bound the smallest of several.

    ```mlir
    %s = affine.parallel (%i, %j) = (0, max(%a, 1)) to (min(%n + 3, 8), 16) step (1, 2) reduce ("addf") -> (f32) {
      affine.yield %x : f32
    }
    ```
    """

    name = "affine.parallel"
    map_operands = var_operand_def(_INDEX)
    res = var_result_def()
    reductions = prop_def(ArrayAttr[IntegerAttr[I64]])
    lower_map = prop_def(AffineMapAttr, prop_name="lowerBoundsMap")
    lower_groups = prop_def(DenseIntElementsAttr, prop_name="lowerBoundsGroups")
    upper_map = prop_def(AffineMapAttr, prop_name="upperBoundsMap")
    upper_groups = prop_def(DenseIntElementsAttr, prop_name="upperBoundsGroups")
    steps = prop_def(ArrayAttr[IntegerAttr[I64]])
    body = region_def("single_block")

    traits = traits_def(SingleBlockImplicitTerminator(YieldOp), RecursiveMemoryEffect())

    @property
    def kinds(self) -> list[str]:
        """Names of the reductions, one for each result."""
        return [ATOMIC_KINDS[kind.value.data] for kind in self.reductions]

    @property
    def lower_bounds(self) -> list[AffineMapAttr]:
        """The maps of the lower bounds over `lower_operands`, one for each induction variable."""
        return _groups(self.lower_map.data, self.lower_groups)

    @property
    def upper_bounds(self) -> list[AffineMapAttr]:
        """The maps of the upper bounds over `upper_operands`, one for each induction variable."""
        return _groups(self.upper_map.data, self.upper_groups)

    @property
    def lower_operands(self) -> Sequence[SSAValue]:
        """The operands of the lower bounds."""
        return self.map_operands[: _inputs(self.lower_map)]

    @property
    def upper_operands(self) -> Sequence[SSAValue]:
        """The operands of the upper bounds."""
        return self.map_operands[_inputs(self.lower_map) :]

    @classmethod
    def parse(cls, parser: Parser) -> ParallelOp:
        parens = parser.Delimiter.PAREN
        position = parser.pos
        ids = parser.parse_comma_separated_list(parens, lambda: parser.parse_argument(expect_type=False))
        properties: dict[str, Attribute] = {}
        operands: list[SSAValue] = []
        for punctuation, side, extreme in (("=", "lower", "max"), ("to", "upper", "min")):
            parser.parse_characters(punctuation)
            map, groups, values = _parse_bounds(parser, extreme)
            operands += values
            properties[f"{side}BoundsMap"] = AffineMapAttr(map)
            properties[f"{side}BoundsGroups"] = DenseIntElementsAttr.from_list(TensorType(i32, [len(groups)]), groups)
        steps = [1] * len(ids)
        if parser.parse_optional_keyword("step") is not None:
            steps = parser.parse_comma_separated_list(parens, parser.parse_integer)
        properties["steps"] = ArrayAttr(IntegerAttr(step, i64) for step in steps)
        kinds: Sequence[str] = ()
        if parser.parse_optional_keyword("reduce") is not None:
            kinds = parser.parse_comma_separated_list(parens, parser.parse_str_literal)
        unknown = [kind for kind in kinds if kind not in ATOMIC_KINDS]
        if unknown:
            parser.raise_error(f'invalid reduction value: "{unknown[0]}"', position, parser.pos)
        properties["reductions"] = ArrayAttr(IntegerAttr(ATOMIC_KINDS.index(kind), i64) for kind in kinds)
        results = parse_optional_results(parser)
        body = parser.parse_region([name.resolve(_INDEX) for name in ids])
        return cls.create(
            operands=operands,
            result_types=results,
            properties=properties,
            attributes=parser.parse_optional_attr_dict(),
            regions=[closed(body, [_INDEX] * len(ids))],
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.body.block.args, printer.print_ssa_value)
        bounds = ((self.lower_bounds, self.lower_operands, "max"), (self.upper_bounds, self.upper_operands, "min"))
        for word, (maps, operands, extreme) in zip(("=", "to"), bounds, strict=True):
            printer.print_string(f" {word} ")
            with printer.in_parens():
                printer.print_list(maps, lambda map: _print_bound(printer, map, operands, extreme))  # noqa: B023
        steps = [step.value.data for step in self.steps]
        if any(step != 1 for step in steps):
            printer.print_string(f" step ({', '.join(map(str, steps))})")
        if self.res:
            kinds = ", ".join(f'"{kind}"' for kind in self.kinds)
            printer.print_string(f" reduce ({kinds})")
            print_results(printer, self.result_types)
        printer.print_string(" ")
        printer.print_region(
            self.body, print_entry_block_args=False, print_empty_block=False, print_block_terminators=bool(self.res)
        )
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        count = len(self.body.block.args)
        if any(type != _INDEX for type in self.body.block.arg_types):
            raise VerifyException("expected induction variables of type index")
        for what, found in (
            ("lower bounds", len(self.lower_groups)),
            ("upper bounds", len(self.upper_groups)),
            ("steps", len(self.steps)),
        ):
            if found != count:
                raise VerifyException(f"expected {count} {what}, got {found}")
        for attribute, groups in ((self.lower_map, self.lower_groups), (self.upper_map, self.upper_groups)):
            if sum(groups.get_values()) != len(attribute.data.results) or 0 in groups.get_values():
                raise VerifyException("expected as many results of a map as its groups say, at least one in each")
        expected = _inputs(self.lower_map) + _inputs(self.upper_map)
        if len(self.map_operands) != expected:
            raise VerifyException(f"expected {expected} operands of its maps, got {len(self.map_operands)}")
        if any(step.value.data <= 0 for step in self.steps):
            raise VerifyException("expected positive steps")
        if any(not 0 <= kind.value.data < len(ATOMIC_KINDS) for kind in self.reductions):
            raise VerifyException("names an unknown reduction")
        if len(self.reductions) != len(self.res):
            raise VerifyException(f"expected {len(self.res)} reductions, got {len(self.reductions)}")
        end: Operation | None = self.body.block.last_op
        if not isinstance(end, YieldOp) or end.operand_types != self.result_types:
            raise VerifyException("expects its body to yield values of its result types")


def _inputs(map: AffineMapAttr) -> int:
    return map.data.num_dims + map.data.num_symbols


def _groups(map: AffineMap, groups: DenseIntElementsAttr) -> list[AffineMapAttr]:
    results = iter(map.results)
    return [
        AffineMapAttr(AffineMap(map.num_dims, map.num_symbols, tuple(next(results) for _ in range(size))))
        for size in groups.get_values()
    ]


def _parse_bounds(parser: Parser, extreme: str) -> tuple[AffineMap, list[int], list[SSAValue]]:
    """Parses `(0, max(%a, %b + 1))`; returns the map of all expressions, how many belong to each bound, and operands.

    xDSL's parser of expressions over values serves lists in square brackets only.
    """
    operands: list[SSAValue] = []

    def value() -> AffineExpr | None:
        if parser.parse_optional_keyword("symbol") is not None:
            with parser.in_parens():
                operand: SSAValue | None = parser.parse_operand(_INDEX)
        else:
            operand = parser.parse_optional_operand(_INDEX)
        if operand is None:
            return None
        if operand not in operands:
            operands.append(operand)
        return AffineExpr.dimension(operands.index(operand))

    def bound() -> list[AffineExpr]:
        if parser.parse_optional_keyword(extreme) is None:
            return [parse_affine_expression(parser, value)]
        return parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parse_affine_expression(parser, value), f" of '{extreme}'"
        )

    bounds = parser.parse_comma_separated_list(parser.Delimiter.PAREN, bound)
    results = tuple(expression for group in bounds for expression in group)
    return AffineMap(len(operands), 0, results), [len(group) for group in bounds], operands


def _print_bound(printer: Printer, map: AffineMapAttr, operands: Sequence[SSAValue], extreme: str) -> None:
    """Prints the bound of a variable; symbols are printed as dimensions, which MLIR takes for either."""
    inputs = [AffineExpr.dimension(number) for number in range(len(operands))]
    dims = map.data.num_dims
    plain = map.data.replace_dims_and_symbols(inputs[:dims], inputs[dims:], len(operands), 0)
    several = len(plain.results) > 1
    if several:
        printer.print_string(f"{extreme}(")
    printer.print_list(plain.results, lambda result: print_affine_expression(printer, result, operands))
    if several:
        printer.print_string(")")
