"""The C interface of Level Zero as data: the signatures of its functions and the layouts of its structures."""

from __future__ import annotations

from runtime.driver.abi.layouts import CMember, CStructure, layouts
from runtime.driver.abi.signatures import CFunction, CParameter, signatures
from runtime.driver.abi.types import code_of, is_handle, pointee

__all__ = [
    "CFunction",
    "CMember",
    "CParameter",
    "CStructure",
    "code_of",
    "is_handle",
    "layouts",
    "pointee",
    "signatures",
]
