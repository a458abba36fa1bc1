"""`gpu.binary`: kernels that are compiled already.

xDSL does not have it.

https://mlir.llvm.org/docs/Dialects/GPU/
"""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, StringAttr, SymbolNameConstraint
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, irdl_attr_definition, irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from xegpu.mlir import OpaqueTextAttr


@irdl_attr_definition
class ObjectAttr(OpaqueTextAttr):
    """`#gpu.object<#target, "bytes">`: the code that a compiler made for a target."""

    name = "gpu.object"


@irdl_attr_definition
class SelectObjectAttr(OpaqueTextAttr):
    """`#gpu.select_object<0>`: which object of a binary is used, by its number or target; the first by default."""

    name = "gpu.select_object"


_FIRST = SelectObjectAttr(StringAttr(""))


@irdl_op_definition
class BinaryOp(IRDLOperation):
    """Kernels that are compiled already, for one target or several.

    `gpu.binary @kernels [#gpu.object<#nvvm.target, "bytes">]`
    """

    name = "gpu.binary"
    sym_name = prop_def(SymbolNameConstraint())
    offloading_handler = opt_prop_def(Attribute, prop_name="offloadingHandler")
    objects = prop_def(ArrayAttr[ObjectAttr])

    traits = traits_def(SymbolOpInterface())

    @classmethod
    def parse(cls, parser: Parser) -> BinaryOp:
        properties: dict[str, Attribute] = {"sym_name": parser.parse_symbol_name(), "offloadingHandler": _FIRST}
        if parser.parse_optional_punctuation("<") is not None:
            properties["offloadingHandler"] = parser.parse_attribute()
            parser.parse_punctuation(">")
        attributes = parser.parse_optional_attr_dict()
        objects = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_attribute)
        properties["objects"] = ArrayAttr(objects)
        return cls.create(properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        if self.offloading_handler is not None and self.offloading_handler != _FIRST:
            printer.print_string(" ")
            with printer.in_angle_brackets():
                printer.print_attribute(self.offloading_handler)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        printer.print_attribute(self.objects)

    def verify_(self) -> None:
        if not len(self.objects):
            raise VerifyException("expects at least one object")
