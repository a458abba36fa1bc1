"""Loads and stores that are volatile, or atomic in a scope, and branches with weights or by a number.

https://mlir.llvm.org/docs/Dialects/LLVM/
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects import llvm as base
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntElementsAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.dialects.llvm import ATOMIC_ORDERING_KEYWORDS
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    OpDef,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    successor_def,
    traits_def,
    var_operand_def,
    var_successor_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from xegpu.mlir import with_properties

_ACCESS = (
    *("syncscope", "volatile_", "invariant", "invariantGroup", "nontemporal", "access_groups", "alias_scopes"),
    *("noalias_scopes", "tbaa", "dereferenceable"),
)
_ORDERINGS = {word: number for number, word in ATOMIC_ORDERING_KEYWORDS.items()}
_WRITTEN = ("ordering", "syncscope", "volatile_", "invariant", "invariantGroup")
"""Properties that the custom form has words for."""


def _order(parser: Parser, properties: dict[str, Attribute]) -> None:
    """Takes `atomic syncscope("device") acquire`, if it comes next."""
    if parser.parse_optional_keyword("atomic") is None:
        return
    if parser.parse_optional_keyword("syncscope") is not None:
        with parser.in_parens():
            properties["syncscope"] = StringAttr(parser.parse_str_literal())
    properties["ordering"] = IntegerAttr(_ORDERINGS[parser.parse_keyword_in(tuple(_ORDERINGS))], i64)


def _flag(parser: Parser, word: str, name: str, properties: dict[str, Attribute]) -> None:
    if parser.parse_optional_keyword(word) is not None:
        properties[name] = UnitAttr()


def _rest(parser: Parser, op: type[IRDLOperation], properties: dict[str, Attribute]) -> dict[str, Attribute]:
    """Takes the dictionary of attributes; those that are properties join the properties."""
    attributes = parser.parse_optional_attr_dict()
    known = op.get_irdl_definition().properties
    properties.update({name: attributes.pop(name) for name in list(attributes) if name in known})
    properties.setdefault("ordering", IntegerAttr(0, i64))
    return attributes


def _print_rest(printer: Printer, op: LoadOp | StoreOp) -> None:
    ordering = op.properties.get("ordering")
    if isinstance(ordering, IntegerAttr) and ordering.value.data:
        printer.print_string(" atomic ")
        if (scope := op.properties.get("syncscope")) is not None:
            printer.print_string("syncscope(")
            printer.print_attribute(scope)
            printer.print_string(") ")
        printer.print_string(ATOMIC_ORDERING_KEYWORDS[ordering.value.data])
    for word, name in (("invariant", "invariant"), ("invariant_group", "invariantGroup")):
        if name in op.properties:
            printer.print_string(f" {word}")
    printer.print_op_attributes(op.properties | op.attributes, reserved_attr_names=_WRITTEN)
    printer.print_string(" : ")


class LoadOp(base.LoadOp):
    """Reads a value from memory, whatever type the pointer was made for.

    `%x = llvm.load volatile %p atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32`
    """

    _DEFINITION: ClassVar[OpDef] = with_properties(base.LoadOp, **dict.fromkeys(_ACCESS, AnyAttr()))

    @classmethod
    def get_irdl_definition(cls) -> OpDef:
        return cls._DEFINITION

    def verify_(self) -> None:
        self._DEFINITION.verify(self)

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        properties: dict[str, Attribute] = {}
        _flag(parser, "volatile", "volatile_", properties)
        pointer = parser.parse_unresolved_operand()
        _order(parser, properties)
        _flag(parser, "invariant", "invariant", properties)
        _flag(parser, "invariant_group", "invariantGroup", properties)
        attributes = _rest(parser, cls, properties)
        parser.parse_punctuation(":")
        operand = parser.resolve_operand(pointer, parser.parse_type())
        parser.parse_punctuation("->")
        type = parser.parse_type()
        return cls.create(operands=[operand], result_types=[type], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" volatile " if "volatile_" in self.properties else " ")
        printer.print_ssa_value(self.ptr)
        _print_rest(printer, self)
        printer.print_attribute(self.ptr.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.dereferenced_value.type)


class StoreOp(base.StoreOp):
    """Writes a value to memory.

    `llvm.store volatile %x, %p atomic release {alignment = 4 : i64} : i32, !llvm.ptr<1>`
    """

    _DEFINITION: ClassVar[OpDef] = with_properties(base.StoreOp, **dict.fromkeys(_ACCESS, AnyAttr()))

    @classmethod
    def get_irdl_definition(cls) -> OpDef:
        return cls._DEFINITION

    def verify_(self) -> None:
        self._DEFINITION.verify(self)

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        properties: dict[str, Attribute] = {}
        _flag(parser, "volatile", "volatile_", properties)
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        pointer = parser.parse_unresolved_operand()
        _order(parser, properties)
        _flag(parser, "invariant_group", "invariantGroup", properties)
        attributes = _rest(parser, cls, properties)
        parser.parse_punctuation(":")
        stored = parser.resolve_operand(value, parser.parse_type())
        parser.parse_punctuation(",")
        place = parser.resolve_operand(pointer, parser.parse_type())
        return cls.create(operands=[stored, place], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" volatile " if self.volatile_ is not None else " ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        printer.print_ssa_value(self.ptr)
        _print_rest(printer, self)
        printer.print_attribute(self.value.type)
        printer.print_string(", ")
        printer.print_attribute(self.ptr.type)


@irdl_custom_directive
class Weights(CustomDirective):
    """`weights([1, 2])`, or nothing: how often each branch is taken."""

    weights: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_keyword("weights") is not None:
            with parser.in_parens():
                numbers = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
            self.weights.set(state, DenseArrayBase.from_list(i32, numbers))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        given = self.weights.get(op)
        if isinstance(given, DenseArrayBase):
            state.print_whitespace(printer)
            printer.print_string(f"weights([{', '.join(map(str, given.get_values()))}])")


@irdl_op_definition
class CondBrOp(IRDLOperation):
    """Goes to one of two blocks; the weights say how often each is taken.

    ```mlir
    llvm.func @f(%c: i1, %a: i32) {
      llvm.cond_br %c weights([1, 2]), ^then(%a : i32), ^else
    ^then(%b: i32):
      llvm.return
    ^else:
      llvm.return
    }
    ```
    """

    name = "llvm.cond_br"
    cond = operand_def(IntegerType(1))
    then_arguments = var_operand_def()
    else_arguments = var_operand_def()
    branch_weights = opt_prop_def()
    loop_annotation = opt_prop_def()
    then_block = successor_def()
    else_block = successor_def()

    traits = traits_def(IsTerminator())
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    custom_directives = (Weights,)
    assembly_format = (
        "$cond custom<Weights>($branch_weights) `,` $then_block (`(` $then_arguments^ `:` type($then_arguments) `)`)?"
        " `,` $else_block (`(` $else_arguments^ `:` type($else_arguments) `)`)? attr-dict"
    )


_Edge = tuple[Block, list[SSAValue]]


@irdl_op_definition
class SwitchOp(IRDLOperation):
    """Goes to the block of the case that has the value, or to the first block if none has it.

    ```mlir
    llvm.func @f(%a: i32, %x: f32) {
      llvm.switch %a : i32, ^other(%x : f32) [1: ^one, 2: ^two(%a, %a : i32, i32)]
    ^other(%y: f32):
      llvm.return
    ^one:
      llvm.return
    ^two(%b: i32, %c: i32):
      llvm.return
    }
    ```
    """

    name = "llvm.switch"
    value = operand_def(IntegerType)
    default_operands = var_operand_def()
    case_operands = var_operand_def()
    default_destination = successor_def()
    case_destinations = var_successor_def()
    case_values = opt_prop_def(DenseIntElementsAttr)
    case_operand_segments = prop_def(DenseArrayBase)
    branch_weights = opt_prop_def()

    traits = traits_def(IsTerminator())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @property
    def cases(self) -> list[tuple[int, Block, list[SSAValue]]]:
        """The value of each case, where it branches, and what it passes."""
        counts = self.case_operand_segments.get_values()
        values = () if self.case_values is None else self.case_values.get_values()
        rest, found = list(self.case_operands), []
        for value, block, count in zip(values, self.case_destinations, counts, strict=True):
            passed, rest = rest[: int(count)], rest[int(count) :]
            found.append((int(value), block, passed))
        return found

    @classmethod
    def parse(cls, parser: Parser) -> SwitchOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        flag = parser.resolve_operand(value, type)
        parser.parse_punctuation(",")
        default, passed = _edge(parser)
        cases = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _case(parser))
        attributes = parser.parse_optional_attr_dict()
        edges = [edge for _, edge in cases]
        operands = [operand for _, values in edges for operand in values]
        numbers = [number for number, _ in cases]
        properties: dict[str, Attribute] = {
            "case_operand_segments": DenseArrayBase.from_list(i32, [len(values) for _, values in edges]),
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [1, len(passed), len(operands)]),
        }
        if numbers:
            assert isinstance(type, IntegerType)
            properties["case_values"] = DenseIntElementsAttr.from_list(VectorType(type, [len(numbers)]), numbers)
        return cls.create(
            operands=[flag, *passed, *operands],
            successors=[default, *(block for block, _ in edges)],
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(" : ")
        printer.print_attribute(self.value.type)
        printer.print_string(", ")
        _print_edge(printer, self.default_destination, list(self.default_operands))
        printer.print_string(" [")

        def case(found: tuple[int, Block, list[SSAValue]]) -> None:
            printer.print_string(f"{found[0]}: ")
            _print_edge(printer, *found[1:])

        printer.print_list(self.cases, case)
        printer.print_string("]")
        printer.print_op_attributes(self.attributes)


def _case(parser: Parser) -> tuple[int, _Edge]:
    number = parser.parse_integer()
    parser.parse_punctuation(":")
    return number, _edge(parser)


def _edge(parser: Parser) -> _Edge:
    """Takes `^block(%a, %b : i32, f32)`."""
    block = parser.parse_successor()
    if parser.parse_optional_punctuation("(") is None:
        return block, []
    operands: list[UnresolvedOperand] = parser.parse_comma_separated_list(
        parser.Delimiter.NONE, parser.parse_unresolved_operand
    )
    position = parser.pos
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return block, list(parser.resolve_operands(operands, types, position))


def _print_edge(printer: Printer, block: Block, values: list[SSAValue]) -> None:
    printer.print_block_name(block)
    if values:
        with printer.in_parens():
            printer.print_list(values, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list([value.type for value in values], printer.print_attribute)
