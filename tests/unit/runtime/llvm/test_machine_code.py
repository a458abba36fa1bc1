"""Machine code from LLVM IR."""

from __future__ import annotations

import ctypes

import pytest

from runtime.llvm.compilation import machine_code, object_code
from runtime.llvm.cpu import this_cpu
from runtime.llvm.module import OPTNONE, IRFunction, IRModule
from runtime.llvm.values import integer

BLEND = """
define void @entry(ptr %p, ptr %q, ptr %r) ATTRIBUTES {
  %a = load <8 x i16>, ptr %p
  %b = load <8 x i16>, ptr %q
  %sum = add <8 x i16> %a, %b
  %other = xor <8 x i16> %a, %b
  %c = shufflevector <8 x i16> %sum, <8 x i16> %other,
      <8 x i32> <i32 0, i32 9, i32 2, i32 11, i32 4, i32 13, i32 6, i32 15>
  store <8 x i16> %c, ptr %r
  ret void
}
"""


@pytest.mark.parametrize("attributes", ["", OPTNONE])
def test_words_are_blended_in_functions_of_any_size(attributes: str) -> None:
    """LLVM 22 ends the process over this function if it is not optimized but its code is."""
    assert object_code(BLEND.replace("ATTRIBUTES", attributes), this_cpu())


def test_ir_that_llvm_does_not_take() -> None:
    with pytest.raises(RuntimeError, match="expected"):
        object_code("define void @entry() { nonsense }", this_cpu())


def test_llvm_does_not_see_through_opaque_values() -> None:
    """A sum of constants is computed when the function runs."""

    def hidden(code: IRFunction) -> None:
        code.give(code.binary("add", code.opaque(integer(41)), integer(1)))

    def plain(code: IRFunction) -> None:
        code.give(code.binary("add", integer(41), integer(1)))

    objects = set()
    for build in (hidden, plain):
        module = IRModule(this_cpu())
        module.export("entry", "i64", "", build)
        code = machine_code(module.text(), ["entry"], this_cpu())
        assert ctypes.CFUNCTYPE(ctypes.c_int64)(code.addresses["entry"])() == 42
        objects.add(object_code(module.text(), this_cpu()))
    assert len(objects) == 2
