"""Functions and calls with the calling conventions of kernels, and with attributes of arguments.

xDSL lacks the conventions of SPIR, attributes of the arguments of calls, and most attributes that upstream keeps as
properties.

https://mlir.llvm.org/docs/Dialects/LLVM/
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects import llvm as base
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    IntegerType,
    SymbolRefAttr,
    i32,
)
from xdsl.dialects.llvm import (
    CallingConventionAttr,
    FastMathAttr,
    LinkageAttr,
    LLVMFunctionType,
    LLVMVoidType,
    TailCallKind,
    TailCallKindAttr,
)
from xdsl.dialects.utils.format import print_func_argument, print_func_output
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import AnyAttr, OpDef
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.func.signature import (
    attribute_lists,
    parse_results,
    parse_variadic_parameters,
    print_results,
    print_types,
    verify_attribute_lists,
)
from xegpu.mlir import with_properties

KERNEL_CONVENTION, FUNCTION_CONVENTION = "spir_kernelcc", "spir_funccc"
_DEFAULT_CONVENTION = "ccc"
base.LLVM_CALLING_CONVS.update((KERNEL_CONVENTION, FUNCTION_CONVENTION))

_LINKAGES = (
    *("external", "private", "internal", "available_externally", "linkonce", "weak", "common", "appending"),
    *("extern_weak", "linkonce_odr", "weak_odr"),
)
_VISIBILITIES = ("", "hidden", "protected")
_ADDRESSES = ("", "local_unnamed_addr", "unnamed_addr")
_WRITTEN = ("sym_name", "function_type", "CConv", "linkage", "visibility_", "unnamed_addr", "arg_attrs", "res_attrs")
"""Properties that the custom form of a function has words for."""

_FUNCTION_PROPERTIES = (
    *("alwaysinline", "always_inline", "arm_streaming", "comdat", "convergent", "dso_local", "function_entry_count"),
    *("garbageCollector", "inline_hint", "intel_reqd_sub_group_size", "memory_effects", "noreturn", "personality"),
    *("reqd_work_group_size", "returns_twice", "section", "alignment", "uwtable_kind", "vec_type_hint", "vscale_range"),
    *("will_return", "work_group_size_hint"),
)
_CALL_PROPERTIES = (
    *("access_groups", "alias_scopes", "always_inline", "arg_attrs", "branch_weights", "convergent", "inline_hint"),
    *("memory_effects", "no_inline", "no_unwind", "noalias_scopes", "op_bundle_tags", "res_attrs", "tbaa"),
    *("will_return", "builtin", "noreturn", "returns_twice"),
)


def _word(parser: Parser, words: tuple[str, ...]) -> IntegerAttr[IntegerType]:
    """Returns the number of a keyword, if it comes next; 0 if none does."""
    return IntegerAttr(words.index(parser.parse_optional_keyword_in(words[1:]) or ""), 64)


def _accepting(op: type[base.FuncOp | base.CallOp], names: tuple[str, ...]) -> OpDef:
    return with_properties(op, **dict.fromkeys(names, AnyAttr()))


class FuncOp(base.FuncOp):
    """A function; one with the convention `spir_kernelcc`, or with the attribute `gpu.kernel`, is a kernel.

    ```mlir
    llvm.func spir_kernelcc @k(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, \
intel_reqd_sub_group_size = 16 : i32} {
      llvm.return
    }
    ```
    `llvm.func spir_funccc @f(i32, !llvm.ptr {llvm.readonly}) -> i32`
    """

    _DEFINITION: ClassVar[OpDef] = _accepting(base.FuncOp, _FUNCTION_PROPERTIES)

    @classmethod
    def get_irdl_definition(cls) -> OpDef:
        return cls._DEFINITION

    def verify_(self, verify_nested_ops: bool = True) -> None:
        self._DEFINITION.verify(self)
        types = self.function_type.inputs.data
        verify_attribute_lists(self.arg_attrs, len(types), "argument")
        if self.body.blocks and tuple(self.body.blocks[0].arg_types) != types:
            raise VerifyException(f"expected a first block with the arguments of {self.function_type}")
        for words, number in ((_VISIBILITIES, self.visibility_), (_ADDRESSES, self.unnamed_addr)):
            if number is not None and not 0 <= number.value.data < len(words):
                raise VerifyException(f"expected a number from 0 to {len(words) - 1}, got {number}")

    @property
    def is_kernel(self) -> bool:
        """True for what a launch may name."""
        return self.CConv.cconv_name == KERNEL_CONVENTION or "gpu.kernel" in self.attributes

    @classmethod
    def parse(cls, parser: Parser) -> FuncOp:
        linkage = parser.parse_optional_keyword_in(_LINKAGES) or _LINKAGES[0]
        visibility = _word(parser, _VISIBILITIES)
        address = _word(parser, _ADDRESSES)
        convention = parser.parse_optional_keyword_in(base.LLVM_CALLING_CONVS) or _DEFAULT_CONVENTION
        name = parser.parse_symbol_name()
        parameters, names, variadic = parse_variadic_parameters(parser)
        position = parser.pos
        results = parse_results(parser)
        if len(results) > 1:
            parser.raise_error("expected at most one result", position)
        output = results[0][0] if results else LLVMVoidType()
        found = parser.parse_optional_attr_dict_with_keyword(_WRITTEN)
        attributes = {} if found is None else dict(found.data)
        body = parser.parse_optional_region(names if names or not parameters else None) or Region()
        properties: dict[str, Attribute | None] = {
            "sym_name": name,
            "function_type": LLVMFunctionType([type for type, _ in parameters], output, variadic),
            "CConv": CallingConventionAttr(convention),
            "linkage": LinkageAttr(linkage),
            "visibility_": visibility,
            "unnamed_addr": address,
            "arg_attrs": attribute_lists(entry for _, entry in parameters),
            "res_attrs": attribute_lists(entry for _, entry in results),
            **{name: attributes.pop(name) for name in list(attributes) if name in cls._DEFINITION.properties},
        }
        return cls.create(
            properties={name: value for name, value in properties.items() if value is not None},
            attributes=attributes,
            regions=[body],
        )

    def print(self, printer: Printer) -> None:
        address = 0 if self.unnamed_addr is None else self.unnamed_addr.value.data
        words = (
            self.linkage.linkage.data.removeprefix("external"),
            _VISIBILITIES[self.visibility_.value.data],
            _ADDRESSES[address],
            self.CConv.cconv_name.removeprefix(_DEFAULT_CONVENTION),
        )
        printer.print_string("".join(f" {word}" for word in words if word) + " ")
        printer.print_symbol_name(self.sym_name.data)
        with printer.in_parens():
            printer.print_list(range(len(self.function_type.inputs)), lambda number: self._print_input(printer, number))
            if self.function_type.is_variadic:
                printer.print_string(", ..." if self.function_type.inputs else "...")
        if self.function_type.output != LLVMVoidType():
            print_results(printer, [self.function_type.output], self.res_attrs)
        printer.print_op_attributes(self.properties | self.attributes, reserved_attr_names=_WRITTEN, print_keyword=True)
        if self.body.blocks:
            printer.print_string(" ", indent=0)
            printer.print_region(self.body, False, False)

    def _print_input(self, printer: Printer, number: int) -> None:
        attributes = None if self.arg_attrs is None else self.arg_attrs.data[number]
        if self.body.blocks:
            print_func_argument(printer, self.body.blocks[0].args[number], attributes)
        else:
            print_func_output(printer, self.function_type.inputs.data[number], attributes)


class CallOp(base.CallOp):
    """A call of a function, by its name or by a pointer to it, with the calling convention that the function has.

    `%r = llvm.call spir_funccc %f(%a, %p) {convergent} : !llvm.ptr, (i32, !llvm.ptr {llvm.readonly}) -> i32`

    ```mlir
    llvm.func @f(%a: i32) -> i32 {
      %r = llvm.call @f(%a) : (i32) -> i32
      llvm.return %r : i32
    }
    ```
    """

    _DEFINITION: ClassVar[OpDef] = _accepting(base.CallOp, _CALL_PROPERTIES)

    @classmethod
    def get_irdl_definition(cls) -> OpDef:
        return cls._DEFINITION

    def verify_(self) -> None:
        self._DEFINITION.verify(self)

    @classmethod
    def parse(cls, parser: Parser) -> CallOp:
        convention = parser.parse_optional_keyword_in(base.LLVM_CALLING_CONVS - {_DEFAULT_CONVENTION})
        tail = parser.parse_optional_keyword_in({kind.value for kind in TailCallKind if kind != TailCallKind.NONE})
        callee = parser.parse_optional_symbol_name()
        pointer = None if callee else parser.parse_unresolved_operand()
        arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        variadic: Attribute | None = None
        if parser.parse_optional_keyword("vararg") is not None:
            with parser.in_parens():
                variadic = parser.parse_type()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operands: list[SSAValue] = []
        if pointer is not None:
            operands.append(parser.resolve_operand(pointer, parser.parse_type()))
            parser.parse_punctuation(",")
        position = parser.pos
        typed = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: (parser.parse_type(), parser.parse_optional_attr_dict())
        )
        results = parse_results(parser)
        operands += parser.resolve_operands(arguments, [type for type, _ in typed], position)
        properties: dict[str, Attribute | None] = {
            "fastmathFlags": attributes.pop("fastmathFlags", FastMathAttr("none")),
            "CConv": CallingConventionAttr(convention or _DEFAULT_CONVENTION),
            "TailCallKind": TailCallKindAttr(TailCallKind(tail) if tail else TailCallKind.NONE),
            "op_bundle_sizes": DenseArrayBase.from_list(i32, ()),
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [len(operands), 0]),
            "callee": SymbolRefAttr(callee) if callee else None,
            **{name: attributes.pop(name) for name in list(attributes) if name in cls._DEFINITION.properties},
            "var_callee_type": variadic,
            "arg_attrs": attribute_lists(entry for _, entry in typed),
            "res_attrs": attribute_lists(entry for _, entry in results),
        }
        return cls.create(
            operands=operands,
            properties={name: value for name, value in properties.items() if value is not None},
            attributes=attributes,
            result_types=[type for type, _ in results],
        )

    def print(self, printer: Printer) -> None:
        if self.CConv.cconv_name != _DEFAULT_CONVENTION:
            printer.print_string(f" {self.CConv.cconv_name}")
        if self.TailCallKind.data != TailCallKind.NONE:
            printer.print_string(f" {self.TailCallKind.data.value}")
        printer.print_string(" ")
        arguments = list(self.args)
        pointer = None if self.callee is not None else arguments.pop(0)
        if pointer is None:
            printer.print_attribute(self.callee or SymbolRefAttr(""))
        else:
            printer.print_ssa_value(pointer)
        with printer.in_parens():
            printer.print_list(arguments, printer.print_ssa_value)
        if self.var_callee_type is not None:
            printer.print_string(" vararg(")
            printer.print_attribute(self.var_callee_type)
            printer.print_string(")")
        shown = {name: self.properties[name] for name in _CALL_PROPERTIES if name in self.properties}
        shown = {name: value for name, value in shown.items() if name not in ("arg_attrs", "res_attrs")}
        if self.fastmathFlags != FastMathAttr("none"):
            shown["fastmathFlags"] = self.fastmathFlags
        printer.print_op_attributes(shown | self.attributes)
        printer.print_string(" : ")
        if pointer is not None:
            printer.print_attribute(pointer.type)
            printer.print_string(", ")
        print_types(printer, [argument.type for argument in arguments], self._lists("arg_attrs"))
        if self.returned is None:
            printer.print_string(" -> ()")
        else:
            print_results(printer, [self.returned.type], self._lists("res_attrs"))

    def _lists(self, name: str) -> ArrayAttr[DictionaryAttr] | None:
        found = self.properties.get(name)
        return ArrayAttr(list(found)) if isinstance(found, ArrayAttr) else None

    @property
    def callee_type(self) -> LLVMFunctionType | None:
        """The type of a function that takes any number of arguments; None for other functions."""
        return self.var_callee_type
