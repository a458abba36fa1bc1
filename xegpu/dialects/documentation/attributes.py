"""A type or attribute as a section of a page: its description, and its values if they are few."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute

from xegpu.dialects.documentation.constraints import sigil
from xegpu.dialects.documentation.descriptions import describe_attribute


def attribute_lines(attribute: type[Attribute]) -> Iterator[str]:
    """The section of a type or attribute."""
    description = describe_attribute(attribute)
    yield from ("", f"### `{sigil(attribute)}{attribute.name}`", "", description.text)
    if issubclass(attribute, EnumAttribute):
        yield from ("", f"One of {', '.join(f'`{value}`' for value in attribute.enum_type)}.")
    yield from description.lines()
