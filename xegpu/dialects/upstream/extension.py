"""Adding to dialects that xDSL already has.

xDSL's `Dialect` cannot be extended once it is made.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Attribute, Dialect, Operation


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
