"""Functions of the host program, and calls of them.

What xDSL has is derived from, since its passes know that.

xDSL lacks functions as values, `no_inline`, and some of MLIR's rules about symbols.

https://mlir.llvm.org/docs/Dialects/Func/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func as base
from xdsl.dialects.builtin import ArrayAttr, FlatSymbolRefAttrConstr, FunctionType, SymbolRefAttr, UnitAttr
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    BaseAttr,
    IRDLOperation,
    OpDef,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure, SymbolTable, SymbolUserOpInterface
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.func.signature import (
    attribute_lists,
    parse_parameters,
    parse_results,
    print_arguments,
    print_results,
    print_types,
    verify_attribute_lists,
)
from xegpu.dialects.upstream.terminators import ensure_terminator
from xegpu.mlir import with_properties

_SYNTAX = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")
"""Properties of a function that its custom form spells out."""

_VISIBILITIES = ("public", "private", "nested")


class _ReferredFunction(SymbolUserOpInterface):
    """The function of a `func.constant` is there, and of that type."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, ConstantOp)
        function = SymbolTable.lookup_symbol(op, op.value)
        if not isinstance(function, base.FuncOp):
            raise VerifyException(f"reference to undefined function '{op.value}'")
        if function.function_type != op.res.type:
            raise VerifyException(
                f"reference to function with mismatched type: '{op.value}' is a {function.function_type}, "
                f"expected {op.res.type}"
            )


_FUNC = with_properties(base.FuncOp, no_inline=BaseAttr(UnitAttr))
_LISTS = BaseAttr(ArrayAttr)
_CALL = with_properties(base.CallOp, arg_attrs=_LISTS, res_attrs=_LISTS, no_inline=BaseAttr(UnitAttr))


class FuncOp(base.FuncOp):
    """A function; without a body, the declaration of one that is defined elsewhere.

    ```mlir
    func.func private @scale(%m: memref<8xf32> {llvm.noalias}, %x: f32) -> (f32 {llvm.noundef}) attributes {no_inline} {
      return %x : f32
    }
    ```

    `func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}`
    """

    @classmethod
    def get_irdl_definition(cls) -> OpDef:
        return _FUNC

    @property
    def no_inline(self) -> bool:
        """True if calls of the function are not inlined."""
        return "no_inline" in self.properties

    @classmethod
    def parse(cls, parser: Parser) -> FuncOp:
        visibility = parser.parse_optional_visibility_keyword()
        name = parser.parse_symbol_name()
        parameters, names = parse_parameters(parser)
        results = parse_results(parser)
        dictionary = parser.parse_optional_attr_dict_with_keyword(_SYNTAX)
        attributes = {} if dictionary is None else dict(dictionary.data)
        position = parser.pos
        body = parser.parse_optional_region(names or None)
        if body is not None and not body.blocks:
            parser.raise_error("expected non-empty function body", position, parser.pos)
        if body is not None and not results:
            ensure_terminator(body, base.ReturnOp)
        properties = {
            "sym_name": name,
            "function_type": FunctionType.from_lists(*([type_ for type_, _ in part] for part in (parameters, results))),
            "sym_visibility": visibility,
            "arg_attrs": attribute_lists(attrs for _, attrs in parameters),
            "res_attrs": attribute_lists(attrs for _, attrs in results),
            "no_inline": attributes.pop("no_inline", None),
        }
        return cls.create(
            properties={key: value for key, value in properties.items() if value is not None},
            attributes=attributes,
            regions=[Region() if body is None else body],
        )

    def print(self, printer: Printer) -> None:
        if self.sym_visibility is not None:
            printer.print_string(f" {self.sym_visibility.data}")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        if self.is_declaration:
            print_types(printer, self.function_type.inputs.data, self.arg_attrs)
        else:
            print_arguments(printer, self.args, self.arg_attrs, separator=": ")
        print_results(printer, self.function_type.outputs.data, self.res_attrs)
        inherent: dict[str, Attribute] = {"no_inline": UnitAttr()} if self.no_inline else {}
        printer.print_op_attributes(dict(sorted({**inherent, **self.attributes}.items())), print_keyword=True)
        if not self.is_declaration:
            printer.print_string(" ")
            printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)

    def verify_(self) -> None:
        _FUNC.verify(self)
        parent = self.parent_op()
        if parent is not None and not parent.has_trait(SymbolTable):
            raise VerifyException(f"symbol's parent must have the SymbolTable trait, but is '{parent.name}'")
        visibility = "public" if self.sym_visibility is None else self.sym_visibility.data
        if visibility not in _VISIBILITIES:
            raise VerifyException(
                f"visibility expected to be one of {', '.join(_VISIBILITIES)}, but got '{visibility}'"
            )
        inputs, outputs = self.function_type.inputs.data, self.function_type.outputs.data
        verify_attribute_lists(self.arg_attrs, len(inputs), "argument")
        verify_attribute_lists(self.res_attrs, len(outputs), "result")
        if self.is_declaration:
            if visibility == "public":
                raise VerifyException("symbol declaration cannot have public visibility")
            return
        types = [argument.type for argument in self.args]
        if len(types) != len(inputs):
            raise VerifyException(
                f"entry block must have {len(inputs)} arguments to match function signature, got {len(types)}"
            )
        for number, (given, declared) in enumerate(zip(types, inputs, strict=True)):
            if given != declared:
                raise VerifyException(
                    f"type of entry block argument #{number} ({given}) must match the type of the corresponding "
                    f"argument in function signature ({declared})"
                )


class CallOp(base.CallOp):
    """Calls a function of the same module.

    ```mlir
    module {
      func.func private @scale(memref<8xf32>, f32) -> f32
      func.func @f(%m: memref<8xf32>, %x: f32) -> f32 {
        %y = call @scale(%m, %x) : (memref<8xf32>, f32) -> f32
        return %y : f32
      }
    }
    ```
    """

    @classmethod
    def get_irdl_definition(cls) -> OpDef:
        return _CALL

    @classmethod
    def parse(cls, parser: Parser) -> CallOp:
        position = parser.pos
        callee = parser.parse_attribute()
        if not isinstance(callee, SymbolRefAttr) or callee.nested_references.data:
            parser.raise_error(f"expected the name of a function, got {callee}", position, parser.pos)
        arguments, signature, attributes = _parse_call(parser)
        no_inline = attributes.pop("no_inline", None)
        return cls.create(
            operands=arguments,
            result_types=signature.outputs.data,
            properties={"callee": callee} if no_inline is None else {"callee": callee, "no_inline": no_inline},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.callee)
        inherent = {key: value for key, value in self.properties.items() if key != "callee"}
        _print_call(printer, self.arguments, {**inherent, **self.attributes}, self.result_types)

    def verify_(self) -> None:
        _CALL.verify(self)


@irdl_op_definition
class CallIndirectOp(IRDLOperation):
    """`%y = func.call_indirect %f(%x) : (f32) -> f32` calls a function that is a value."""

    name = "func.call_indirect"
    callee = operand_def(FunctionType)
    arguments = var_operand_def()
    res = var_result_def()

    def __init__(self, callee: SSAValue | Operation, arguments: Sequence[SSAValue | Operation]):
        callee = SSAValue.get(callee, type=FunctionType)
        super().__init__(operands=[callee, arguments], result_types=[callee.type.outputs.data])

    @classmethod
    def parse(cls, parser: Parser) -> CallIndirectOp:
        callee = parser.parse_unresolved_operand()
        arguments, signature, attributes = _parse_call(parser)
        op = cls(parser.resolve_operand(callee, signature), arguments)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.callee)
        _print_call(printer, self.arguments, self.attributes, self.result_types)

    def verify_(self) -> None:
        function = self.callee.type
        assert isinstance(function, FunctionType)
        given = FunctionType.from_lists(self.arguments.types, self.result_types)
        if given != function:
            raise VerifyException(f"expected operands and results as in {function}, got {given}")


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """A function as a value.

    ```mlir
    module {
      func.func private @scale(f32) -> f32
      func.func @f(%x: f32) -> f32 {
        %f = constant @scale : (f32) -> f32
        %y = call_indirect %f(%x) : (f32) -> f32
        return %y : f32
      }
    }
    ```
    """

    name = "func.constant"
    value = prop_def(FlatSymbolRefAttrConstr)
    res = result_def(FunctionType)

    traits = traits_def(Pure(), _ReferredFunction())
    assembly_format = "attr-dict $value `:` type($res)"


def _parse_call(parser: Parser) -> tuple[list[SSAValue], FunctionType, dict[str, Attribute]]:
    """`(%a, %b) {attributes} : (f32, i32) -> f32`."""
    position = parser.pos
    arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type_position = parser.pos
    signature = parser.parse_type()
    if not isinstance(signature, FunctionType):
        parser.raise_error(f"expected a function type, got {signature}", type_position, parser.pos)
    if len(arguments) != len(signature.inputs):
        parser.raise_error(
            f"expected as many arguments as types, got {len(arguments)} and {len(signature.inputs)}",
            position,
            parser.pos,
        )
    operands = [parser.resolve_operand(name, t) for name, t in zip(arguments, signature.inputs, strict=True)]
    return operands, signature, attributes


def _print_call(
    printer: Printer, arguments: Sequence[SSAValue], attributes: dict[str, Attribute], results: Sequence[Attribute]
) -> None:
    with printer.in_parens():
        printer.print_list(arguments, printer.print_ssa_value)
    printer.print_op_attributes(attributes)
    printer.print_string(" : ")
    printer.print_attribute(FunctionType.from_lists([argument.type for argument in arguments], results))
