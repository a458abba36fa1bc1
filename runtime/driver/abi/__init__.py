"""The C interface of Level Zero as data: the signatures of its functions and the layouts of its structures."""

from __future__ import annotations

from runtime.driver.abi.apis import api_of
from runtime.driver.abi.layouts import HEADER, CMember, CStructure, layouts
from runtime.driver.abi.signatures import CFunction, CParameter, signatures
from runtime.driver.abi.types import code_of, is_handle, pointee

__all__ = [
    "HEADER",
    "CFunction",
    "CMember",
    "CParameter",
    "CStructure",
    "api_of",
    "code_of",
    "is_handle",
    "layouts",
    "pointee",
    "signatures",
]
