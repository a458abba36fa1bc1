"""Adding to dialects and operations that xDSL already has.

xDSL's `Dialect` cannot be extended once it is made, and its `irdl_op_definition` cannot be applied to derived classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from xdsl.ir import Attribute, Dialect, Operation
from xdsl.irdl import AttrConstraint, IRDLOperation, OpDef, OptPropertyDef

Definition = type[Operation] | type[Attribute]


def definitions(names: Mapping[str, object]) -> Iterator[Definition]:
    """Yields the operations and attributes among the variables of a module."""
    for value in names.values():
        if isinstance(value, type) and issubclass(value, Operation | Attribute) and "." in getattr(value, "name", ""):
            yield value


def extend(base: Dialect, added: Iterable[Definition]) -> Dialect:
    """`base` with those of the operations and attributes added that have its prefix; one of an old name replaces it."""
    found = [*base.operations, *base.attributes, *(each for each in added if each.name.startswith(f"{base.name}."))]
    operations = {each.name: each for each in found if issubclass(each, Operation)}
    attributes = {each.name: each for each in found if issubclass(each, Attribute)}
    return Dialect(base.name, [*operations.values()], [*attributes.values()], [*base._interfaces])


def with_properties(op: type[IRDLOperation], **properties: AttrConstraint) -> OpDef:
    """Returns the definition of an op of xDSL with optional properties that it lacks."""
    definition = op.get_irdl_definition()
    return replace(
        definition,
        properties={**definition.properties, **{name: OptPropertyDef(kind) for name, kind in properties.items()}},
    )
