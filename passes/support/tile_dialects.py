"""Finds out whether a module uses the dialects of tiles."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.ir import Attribute, Operation, ParametrizedAttribute

from passes.support.control_flow import operations_in

_DIALECTS = frozenset({"xegpu", "xetile", "xevm"})


def holds_tiles(module: Operation) -> bool:
    """Returns whether operations, attributes or types of XeGPU, XeTile or XeVM occur in a module."""
    # Attributes are told apart by their identity: most are one of few objects, and hashing one takes long.
    attributes: dict[int, Attribute] = {}
    names: set[str] = set()
    for op in operations_in(module):
        names.add(op.name)
        attributes.update((id(attribute), attribute) for attribute in _attributes(op))
    if any(name.partition(".")[0] in _DIALECTS for name in names):
        return True
    known: dict[Attribute, bool] = {}
    return any(_is_of_tiles(attribute, known) for attribute in attributes.values())


def _attributes(op: Operation) -> Iterator[Attribute]:
    """Yields the attributes and types of an operation."""
    yield from op.attributes.values()
    yield from op.properties.values()
    for result in op.results:
        yield result.type
    for region in op.regions:
        for block in region.blocks:
            for argument in block.args:
                yield argument.type


def _is_of_tiles(attribute: Attribute, known: dict[Attribute, bool]) -> bool:
    found = known.get(attribute)
    if found is None:
        found = attribute.name.partition(".")[0] in _DIALECTS or any(
            _is_of_tiles(part, known) for part in _parts(attribute)
        )
        known[attribute] = found
    return found


def _parts(attribute: Attribute) -> Iterator[Attribute]:
    """Yields the attributes of which an attribute consists."""
    if isinstance(attribute, ParametrizedAttribute):
        yield from attribute.parameters
    elif isinstance(attribute, ArrayAttr):
        yield from attribute.data
    elif isinstance(attribute, DictionaryAttr):
        yield from attribute.data.values()
