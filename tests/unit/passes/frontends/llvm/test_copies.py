"""Copies of memory that no program makes, in kernels that came from somewhere: import is quick, or refuses them."""

from __future__ import annotations

import pytest

from passes.frontends.llvm import import_kernels
from xegpu.diagnostics import CompileError


def kernel(call: str, declaration: str) -> str:
    return f"""target triple = "spir64-unknown-unknown"
{declaration}
define spir_kernel void @k(ptr addrspace(1) %x, ptr addrspace(3) %y) {{
  {call}
  ret void
}}
"""


@pytest.mark.parametrize("length", [1 << 40, (1 << 63) - 1, 4097])
def test_long_copies_are_loops(length: int) -> None:
    """The kernel has as many operations for any length."""
    name = "@llvm.memcpy.p1.p3.i64"
    arguments = f"ptr addrspace(1) %x, ptr addrspace(3) %y, i64 {length}, i1 false"
    declaration = f"declare void {name}(ptr addrspace(1), ptr addrspace(3), i64, i1)"
    module = import_kernels(kernel(f"call void {name}({arguments})", declaration))
    assert sum(1 for op in module.walk() if op.name == "llvm.load") == 1


def test_asynchronous_copies_of_nothing() -> None:
    """A symbol may say that pointers are to `void`."""
    symbol = "@_Z21async_work_group_copyPU3AS3vPU3AS1Kvm9ocl_event"
    types = ("ptr addrspace(3)", "ptr addrspace(1)", "i64", 'target("spirv.Event")')
    arguments = ", ".join(map(" ".join, zip(types, ("%y", "%x", "8", "zeroinitializer"), strict=True)))
    text = kernel(
        f"%e = call spir_func {types[3]} {symbol}({arguments})",
        f"declare spir_func {types[3]} {symbol}({', '.join(types)})",
    )
    with pytest.raises(CompileError, match="whose elements are neither numbers nor vectors"):
        import_kernels(text)
