"""The common base of the types of descriptors and tiles."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, ContainerType, IntAttr, ShapedType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.printer import Printer


@dataclass(frozen=True, init=False)  # so that types compare by shape and element, too
class ShapeAndElement(ParametrizedAttribute, TypeAttribute, ShapedType, ContainerType[Attribute]):
    """A type that begins with a shape and the type of the elements: `<8x16xf16, ...>`."""

    shape: ArrayAttr[IntAttr]
    element_type: TypeAttribute

    def get_num_dims(self) -> int:
        return len(self.shape.data)

    def get_shape(self) -> tuple[int, ...]:
        return tuple(size.data for size in self.shape.data)

    def get_element_type(self) -> Attribute:
        return self.element_type

    def print_shape_and_element(self, printer: Printer) -> None:
        """Prints `8x16xf16`."""
        for size in self.get_shape():
            printer.print_string("?x" if size == DYNAMIC_INDEX else f"{size}x")
        printer.print_attribute(self.element_type)
