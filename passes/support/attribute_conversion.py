"""Replaces attributes and types everywhere in a module, however deep they are nested in others.

xDSL's `TypeConversionPattern` does the same per operation, but rebuilds each operation, converts parameters before the
type that holds them, which decides here, and cannot say at which operation a conversion failed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

from xegpu.diagnostics import CompileError

Replace = Callable[[Attribute], Attribute | None]
"""Returns the replacement of an attribute; None to look inside it. Raises `VerifyException` if there is none."""


class AttributeConversion:
    """Applies a replacement to types of values, properties and discardable attributes."""

    def __init__(self, replace: Replace):
        self._replace = replace
        self._known: dict[Attribute, Attribute] = {}

    def convert_operations(self, operations: Iterable[Operation]) -> None:
        """Converts operations in place. Raises `CompileError` at one that cannot be converted."""
        for op in operations:
            try:
                self._convert_operation(op)
            except VerifyException as error:
                raise CompileError(op, str(error)) from None

    def _convert_operation(self, op: Operation) -> None:
        for attributes in (op.properties, op.attributes):
            for name, attribute in attributes.items():
                attributes[name] = self.convert(attribute)
        values: list[SSAValue] = [*op.results]
        values.extend(argument for region in op.regions for block in region.blocks for argument in block.args)
        for value in values:
            if (converted := self.convert(value.type)) != value.type:
                Rewriter.replace_value_with_new_type(value, converted)

    def convert(self, attribute: Attribute) -> Attribute:
        """Returns the attribute with everything in it replaced."""
        if (converted := self._known.get(attribute)) is None:
            converted = self._known[attribute] = self._replace(attribute) or self._convert_parts(attribute)
        return converted

    def _convert_parts(self, attribute: Attribute) -> Attribute:
        if isinstance(attribute, ArrayAttr):
            return ArrayAttr(self._convert_all(attribute.data))
        if isinstance(attribute, DictionaryAttr):
            return DictionaryAttr({name: self.convert(value) for name, value in attribute.data.items()})
        if isinstance(attribute, ParametrizedAttribute):
            parameters = self._convert_all(attribute.parameters)
            return attribute if parameters == list(attribute.parameters) else attribute.new(parameters)
        return attribute

    def _convert_all(self, attributes: Sequence[Attribute]) -> list[Attribute]:
        return [self.convert(attribute) for attribute in attributes]


def rename_properties(op: Operation, names: Sequence[tuple[str, str]]) -> None:
    """Renames properties, given pairs of old and new names."""
    for old, new in names:
        if (value := op.properties.pop(old, None)) is not None:
            op.properties[new] = value
