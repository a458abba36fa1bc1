"""The dimensions that `gpu` operations name."""

from __future__ import annotations

from xdsl.ir import Operation

DIMENSIONS = "xyz"


def dimension(op: Operation) -> str:
    """Returns the dimension that an operation names; an empty text if it names none."""
    attribute = op.properties.get("dimension") or op.attributes.get("dimension")
    return str(getattr(attribute, "data", "")) if attribute is not None else ""


def dimension_index(op: Operation) -> int:
    """Returns 0, 1 or 2 for the dimension that a gpu id operation names."""
    return DIMENSIONS.index(dimension(op))
