"""Adding to dialects and operations that xDSL already has.

xDSL's `Dialect` cannot be extended once it is made, and its `irdl_op_definition` cannot be applied to derived classes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from xdsl.ir import Attribute, Dialect, Operation
from xdsl.irdl import AttrConstraint, IRDLOperation, OpDef, OptPropertyDef


def extend(
    base: Dialect, operations: Iterable[type[Operation]] = (), attributes: Iterable[type[Attribute]] = ()
) -> Dialect:
    """`base` with operations and attributes added; one of the same name replaces the old one."""
    by_name = {op.name: op for op in (*base.operations, *operations)}
    return Dialect(base.name, [*by_name.values()], [*_unique(base.attributes, attributes)], [*base._interfaces])


def _unique(old: Iterable[type[Attribute]], new: Iterable[type[Attribute]]) -> Iterable[type[Attribute]]:
    replaced = {attribute.name for attribute in new}
    yield from (attribute for attribute in old if attribute.name not in replaced)
    yield from new


def with_properties(op: type[IRDLOperation], **properties: AttrConstraint) -> OpDef:
    """Returns the definition of an op of xDSL with optional properties that it lacks."""
    definition = op.get_irdl_definition()
    return replace(
        definition,
        properties={**definition.properties, **{name: OptPropertyDef(kind) for name, kind in properties.items()}},
    )
