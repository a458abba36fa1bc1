"""Buffers of a module.

xDSL's op has no custom assembly.

https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, base, irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import SymbolOpInterface
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.alignment import Alignment, verify_alignment


@irdl_op_definition
class GlobalOp(IRDLOperation):
    """A buffer with a name: with a value, uninitialized, or declared only.

    `memref.global "private" constant @a : memref<4xf32> = dense<1.000000e+00>`

    `memref.global @b : memref<4xf32> = uninitialized`

    `memref.global @c : memref<4xf32>`
    """

    name = "memref.global"
    sym_name = prop_def(SymbolNameConstraint())
    type = prop_def(MemRefType)
    sym_visibility = opt_prop_def(StringAttr)
    initial_value = opt_prop_def(base(UnitAttr) | base(DenseIntOrFPElementsAttr))
    constant = opt_prop_def(UnitAttr)
    alignment = opt_prop_def(Alignment)

    traits = traits_def(SymbolOpInterface())

    @classmethod
    def parse(cls, parser: Parser) -> GlobalOp:
        properties: dict[str, Attribute] = {}
        if (visibility := parser.parse_optional_str_literal()) is not None:
            properties["sym_visibility"] = StringAttr(visibility)
        if parser.parse_optional_keyword("constant") is not None:
            properties["constant"] = UnitAttr()
        properties["sym_name"] = parser.parse_symbol_name()
        parser.parse_punctuation(":")
        position = parser.pos
        memref = parser.parse_type()
        if not isa(memref, MemRefType):
            parser.raise_error(f"expected a memref type, got {memref}", position, parser.pos)
        properties["type"] = memref
        if parser.parse_optional_punctuation("=") is not None:
            if parser.parse_optional_keyword("uninitialized") is not None:
                properties["initial_value"] = UnitAttr()
            else:
                parser.parse_keyword("dense")
                tensor = TensorType(cast(IntegerType, memref.element_type), memref.get_shape())
                properties["initial_value"] = parser.parse_dense_int_or_fp_elements_attr(tensor)
        attributes = parser.parse_optional_attr_dict()
        if "alignment" in attributes:
            properties["alignment"] = attributes.pop("alignment")
        return cls.create(properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        if self.sym_visibility is not None:
            printer.print_string(" ")
            printer.print_string_literal(self.sym_visibility.data)
        if self.constant is not None:
            printer.print_string(" constant")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" : ")
        printer.print_attribute(self.type)
        if isinstance(self.initial_value, UnitAttr):
            printer.print_string(" = uninitialized")
        elif self.initial_value is not None:
            printer.print_string(" = ")
            self.initial_value.print_without_type(printer)
        alignment = {} if self.alignment is None else {"alignment": self.alignment}
        printer.print_op_attributes({**alignment, **self.attributes})

    def verify_(self) -> None:
        if not self.type.has_static_shape():
            raise VerifyException(f"type should be static shaped memref, but got {self.type}")
        if isa(self.initial_value, DenseIntOrFPElementsAttr):
            value = self.initial_value
            if (value.get_shape(), value.get_element_type()) != (self.type.get_shape(), self.type.element_type):
                raise VerifyException(f"initial value of type {value.get_type()} does not fit {self.type}")
        verify_alignment(self.alignment)
