"""The `alignment` property of ops that touch or make memory.

xDSL's memory ops have no such property.
"""

from __future__ import annotations

from xdsl.dialects.builtin import I64, IntegerAttr, i64
from xdsl.utils.bitwise_casts import is_power_of_two
from xdsl.utils.exceptions import VerifyException

Alignment = IntegerAttr[I64]
"""Bytes, a power of two."""


def alignment_attr(alignment: int | None) -> Alignment | None:
    return None if alignment is None else IntegerAttr(alignment, i64)


def verify_alignment(alignment: Alignment | None) -> None:
    """Raises VerifyException when there is an alignment that is no power of two."""
    if alignment is not None and not (alignment.value.data > 0 and is_power_of_two(alignment.value.data)):
        raise VerifyException(f"alignment attribute value {alignment.value.data} is not a power of 2")
