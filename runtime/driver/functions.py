"""The functions that the driver has in C, and what each of them calls."""

from __future__ import annotations

from collections.abc import Mapping

from runtime.driver.abi import CFunction, signatures
from runtime.ze.declaration import functions


def offered() -> Mapping[str, CFunction]:
    """Returns the functions of C that have an implementation, in the order of their tables."""
    declared = functions()
    return {name: signature for name, signature in signatures().items() if name in declared}
