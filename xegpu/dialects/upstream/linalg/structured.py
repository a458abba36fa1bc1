"""Operations with a body in the text: `linalg.map` and `linalg.reduce`, in long and short form; and `linalg.broadcast`.

xDSL lacks the first, the short forms, and knows no loops of the others.

https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DenseArrayBase, MemRefType, ShapedType, TensorType, i64
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import AttrSizedOperandSegments, IRDLOperation, irdl_op_definition, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException


class WrittenBodyOp(LinalgStructuredOperation):
    """An operation in the form `{ op } ins(...) outs(...) ...`, or with its body behind that."""

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @abstractmethod
    def loops(self) -> tuple[Sequence[int], Sequence[int], int]:
        """Returns the loops that the dimensions of inputs and of outputs follow, and the number of loops."""

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        inputs, outputs, count = self.loops()
        maps = [AffineMap(count, 0, tuple(map(AffineDimExpr, positions))) for positions in (inputs, outputs)]
        each = [maps[0]] * len(self.inputs) + [maps[1]] * len(self.outputs)
        return ArrayAttr(map(AffineMapAttr, each))

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        _, outputs, count = self.loops()
        kinds = (IteratorTypeAttr.parallel, IteratorTypeAttr.reduction)
        return ArrayAttr(kinds[number not in outputs]() for number in range(count))

    def print_operands(self, printer: Printer) -> None:
        for word, values in (("ins", self.inputs), ("outs", self.outputs)):
            if values:
                printer.print_string(f" {word}(")
                printer.print_list(values, printer.print_ssa_value)
                printer.print_string(" : ")
                printer.print_list(values.types, printer.print_attribute)
                printer.print_string(")")

    def print_body(self, printer: Printer) -> None:
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.body.block.args, printer.print_block_argument)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)


def element_of(type: Attribute) -> Attribute:
    """Returns the type of the elements of a shaped type, or a scalar type itself."""
    return type.get_element_type() if isinstance(type, MemRefType | TensorType) else type


def _rank(value: SSAValue) -> int:
    return value.type.get_num_dims() if isinstance(value.type, ShapedType) else 0


def _parse_short(parser: Parser) -> tuple[str, dict[str, Attribute]] | None:
    """Parses `{ arith.addf {attributes} }`, the name of the operation that is the body."""
    if parser.parse_optional_punctuation("{") is None:
        return None
    name = parser.parse_identifier()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation("}")
    return name, attributes


def parse_values(parser: Parser, word: str) -> list[SSAValue]:
    """Parses `ins(%a, %b : type, type)`, or nothing."""
    if parser.parse_optional_keyword(word) is None:
        return []
    position = parser.pos
    parser.parse_punctuation("(")
    values = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return list(parser.resolve_operands(values, types, position))


def default_properties(op: type[Operation]) -> dict[str, Attribute]:
    """Returns the properties of an operation that have default values."""
    definitions = op.get_irdl_definition().properties if issubclass(op, IRDLOperation) else {}
    return {name: found.default_value for name, found in definitions.items() if found.default_value is not None}


def only_operation(block: Block, operands: Sequence[SSAValue]) -> Operation | None:
    """Returns the operation of a body that the short form says; releases of MLIR differ in the long form of maps."""
    first, last = block.first_op, block.last_op
    if first is None or last is None or first.next_op is not last or first.attributes or first.regions:
        return None
    is_simple = [*first.operands] == [*operands] and [*last.operands] == [*first.results]
    return first if is_simple and first.properties == default_properties(type(first)) else None


def _short_body(
    parser: Parser, short: tuple[str, dict[str, Attribute]], types: Sequence[Attribute], used: Sequence[int]
) -> Region:
    """Returns the body that applies one operation to some of its arguments; the result has the last one's type."""
    name, attributes = short
    op_class = parser.ctx.get_optional_op(name)
    if op_class is None:
        parser.raise_error(f"unknown operation '{name}'")
    block = Block(arg_types=types)
    properties = default_properties(op_class)
    known = op_class.get_irdl_definition().properties if issubclass(op_class, IRDLOperation) else {}
    properties |= {key: value for key, value in attributes.items() if key in known}
    op = op_class.create(
        operands=[block.args[number] for number in used],
        result_types=[types[-1]],
        properties=properties,
        attributes={key: value for key, value in attributes.items() if key not in known},
    )
    block.add_ops([op, YieldOp(op)])
    return Region(block)


def _parse_body(parser: Parser) -> Region:
    arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
    return parser.parse_region(arguments)


def results_of(outputs: Sequence[SSAValue]) -> list[Attribute]:
    """Returns the types of the results: those of outputs that are tensors."""
    return [value.type for value in outputs if isinstance(value.type, TensorType)]


@irdl_op_definition
class MapOp(WrittenBodyOp):
    """Computes each element of the result from those of the operands.

    `linalg.map { arith.addf } ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)`

    A body of more than one operation stands behind the operands.
    """

    name = "linalg.map"

    def loops(self) -> tuple[Sequence[int], Sequence[int], int]:
        each = range(_rank(self.outputs[0]))
        return each, each, len(each)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        short = _parse_short(parser)
        inputs, outputs = parse_values(parser, "ins"), parse_values(parser, "outs")
        attributes = parser.parse_optional_attr_dict()
        if short is None:
            body = _parse_body(parser)
        else:
            types = [element_of(value.type) for value in (*inputs, *outputs)]
            body = _short_body(parser, short, types, range(len(inputs)))
            argument = body.block.args[-1]
            body.block.erase_arg(argument)
        return cls.build(
            operands=[inputs, outputs], result_types=[results_of(outputs)], regions=[body], attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        only = only_operation(self.body.block, self.body.block.args[: len(self.inputs)])
        if only is not None:
            printer.print_string(f" {{ {only.name} }}")
        self.print_operands(printer)
        printer.print_op_attributes(self.attributes)
        if only is None:
            self.print_body(printer)

    def verify_(self) -> None:
        """Verifies the operation. The body has an argument for the result or not, depending on the release of MLIR."""
        if len(self.outputs) != 1:
            raise VerifyException(f"expected one result, got {len(self.outputs)}")
        expected = [element_of(value.type) for value in (*self.inputs, *self.outputs)]
        found = [argument.type for argument in self.body.block.args]
        if found not in (expected, expected[:-1]):
            raise VerifyException(f"expected a body that takes {', '.join(map(str, expected[:-1]))}")
        shapes = {value.type.get_shape() for value in self.operands if isinstance(value.type, ShapedType)}
        if len(shapes) > 1:
            raise VerifyException("expected operands and result of one shape")


class _DimensionsOp(WrittenBodyOp):
    """An operation with a list of dimensions."""

    dimensions = prop_def(DenseArrayBase.constr(i64))

    @property
    def listed(self) -> Sequence[int]:
        return [int(number) for number in self.dimensions.get_values()]


def _parse_dimensions(parser: Parser) -> DenseArrayBase:
    parser.parse_keyword("dimensions")
    parser.parse_punctuation("=")
    return DenseArrayBase.from_list(
        i64, parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    )


@irdl_op_definition
class ReduceOp(_DimensionsOp):
    """Combines the elements along dimensions with those of the result.

    `linalg.reduce { arith.addf } ins(%a : memref<16x64xf32>) outs(%b : memref<16xf32>) dimensions = [1]`

    A body of more than one operation stands behind the dimensions.
    """

    name = "linalg.reduce"

    def loops(self) -> tuple[Sequence[int], Sequence[int], int]:
        count = _rank(self.inputs[0])
        return range(count), [number for number in range(count) if number not in self.listed], count

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        short = _parse_short(parser)
        inputs, outputs = parse_values(parser, "ins"), parse_values(parser, "outs")
        dimensions = _parse_dimensions(parser)
        attributes = parser.parse_optional_attr_dict()
        if short is None:
            body = _parse_body(parser)
        else:
            types = [element_of(value.type) for value in (*inputs, *outputs)]
            body = _short_body(parser, short, types, (1, 0))
        return cls.build(
            operands=[inputs, outputs],
            result_types=[results_of(outputs)],
            properties={"dimensions": dimensions},
            attributes=attributes,
            regions=[body],
        )

    def print(self, printer: Printer) -> None:
        only = only_operation(self.body.block, self.body.block.args[::-1]) if len(self.inputs) == 1 else None
        if only is not None:
            printer.print_string(f" {{ {only.name} }}")
        self.print_operands(printer)
        printer.print_string(f" dimensions = {list(self.listed)}")
        printer.print_op_attributes(self.attributes)
        if only is None:
            self.print_body(printer)

    def verify_(self) -> None:
        rank = _rank(self.inputs[0]) if self.inputs else 0
        if not self.inputs or len(self.inputs) != len(self.outputs):
            raise VerifyException("expected as many results as operands")
        if len(set(self.listed)) != len(self.listed) or any(not 0 <= number < rank for number in self.listed):
            raise VerifyException(f"expected dimensions of {rank}, each once, got {list(self.listed)}")
        super().verify_()


@irdl_op_definition
class BroadcastOp(_DimensionsOp):
    """`linalg.broadcast ins(%a : memref<16xf32>) outs(%b : memref<16x64xf32>) dimensions = [1]` adds dimensions."""

    name = "linalg.broadcast"

    def loops(self) -> tuple[Sequence[int], Sequence[int], int]:
        count = _rank(self.outputs[0])
        return [number for number in range(count) if number not in self.listed], range(count), count

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        inputs, outputs = parse_values(parser, "ins"), parse_values(parser, "outs")
        dimensions = _parse_dimensions(parser)
        attributes = parser.parse_optional_attr_dict()
        block = Block(arg_types=[element_of(value.type) for value in (*inputs, *outputs)])
        block.add_op(YieldOp(block.args[0]))
        return cls.build(
            operands=[inputs, outputs],
            result_types=[results_of(outputs)],
            properties={"dimensions": dimensions},
            attributes=attributes,
            regions=[Region(block)],
        )

    def print(self, printer: Printer) -> None:
        self.print_operands(printer)
        printer.print_string(f" dimensions = {list(self.listed)}")
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        if (len(self.inputs), len(self.outputs)) != (1, 1):
            raise VerifyException("expected one operand and one result")
        rank = _rank(self.outputs[0])
        if len(set(self.listed)) != len(self.listed) or any(not 0 <= number < rank for number in self.listed):
            raise VerifyException(f"expected dimensions of {rank}, each once, got {list(self.listed)}")
        if _rank(self.inputs[0]) != rank - len(self.listed):
            raise VerifyException(f"expected an operand of {rank - len(self.listed)} dimensions")
        super().verify_()
