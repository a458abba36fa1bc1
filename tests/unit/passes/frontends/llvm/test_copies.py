"""Copies of memory that no program makes, in kernels that came from somewhere: import is quick, or refuses them."""

from __future__ import annotations

import pytest
from xdsl.dialects.llvm import StoreOp
from xdsl.ir import Attribute

from passes.frontends.llvm import import_kernels
from passes.kernel.register_types import element_count, memory_type
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


def bytes_in(type: Attribute) -> int:
    """Returns the bytes that a store moves."""
    element = memory_type(type)
    assert element is not None
    return element_count(type) * element.size


@pytest.mark.parametrize("alignment", [1, 2, 8, 16])
@pytest.mark.parametrize("name", ["memcpy", "memset"])
def test_short_copies_move_every_byte(name: str, alignment: int) -> None:
    """Lengths need not be multiples of alignments, nor reach them."""
    types = "ptr addrspace(1), i8" if name == "memset" else "ptr addrspace(1), ptr addrspace(3)"
    source = "i8 1" if name == "memset" else f"ptr addrspace(3) align {alignment} %y"
    symbol = f"@llvm.{name}.p1{'' if name == 'memset' else '.p3'}.i64"
    for length in range(1, 20):
        call = f"call void {symbol}(ptr addrspace(1) align {alignment} %x, {source}, i64 {length}, i1 true)"
        module = import_kernels(kernel(call, f"declare void {symbol}({types}, i64, i1)"))
        stored = [op.value.type for op in module.walk() if isinstance(op, StoreOp)]
        assert sum(map(bytes_in, stored)) == length


def asynchronous_copy(letters: str, *arguments: tuple[str, str]) -> str:
    """A kernel that calls a function with a symbol of any letters, and arguments of any types."""
    symbol, event = f"@_Z21async_work_group_copy{letters}9ocl_event", 'target("spirv.Event")'
    whole = [*arguments, (event, "zeroinitializer")]
    called, types = ", ".join(map(" ".join, whole)), ", ".join(type for type, _ in whole)
    return kernel(f"%e = call spir_func {event} {symbol}({called})", f"declare spir_func {event} {symbol}({types})")


POINTERS = (("ptr addrspace(3)", "%y"), ("ptr addrspace(1)", "%x"))


def test_asynchronous_copies_of_nothing() -> None:
    """A symbol may say that pointers are to `void`."""
    with pytest.raises(CompileError, match="whose elements are neither numbers nor vectors"):
        import_kernels(asynchronous_copy("PU3AS3vPU3AS1Kvm", *POINTERS, ("i64", "8")))


def test_asynchronous_copies_of_numbers() -> None:
    """A symbol may promise other types than a call has."""
    letters = "PU3AS3iPU3AS1Kim"
    with pytest.raises(CompileError, match="argument 1 of type i64: expected a pointer"):
        import_kernels(asynchronous_copy(letters, ("i64", "1"), POINTERS[1], ("i64", "8")))
    with pytest.raises(CompileError, match="argument 3 of type f32: expected an integer"):
        import_kernels(asynchronous_copy(letters, *POINTERS, ("float", "1.0")))


@pytest.mark.sampled(every=4)
def test_large_structures_by_value() -> None:
    """An argument may claim any size."""
    text = """target triple = "spir64-unknown-unknown"
define spir_kernel void @k(ptr byval([1048576 x i32]) %x) {
  ret void
}
"""
    with pytest.raises(CompileError, match="consists of more than 1024 parts"):
        import_kernels(text)
