"""The C interface of Level Zero as data: the signatures of its functions and the layouts of its structures."""

from __future__ import annotations

from runtime.driver.abi.layouts import Layout, Member, layouts
from runtime.driver.abi.signatures import Parameter, Signature, signatures
from runtime.driver.abi.types import code_of, is_handle, pointee

__all__ = ["Layout", "Member", "Parameter", "Signature", "code_of", "is_handle", "layouts", "pointee", "signatures"]
