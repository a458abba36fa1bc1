"""Machine code from LLVM IR."""

from __future__ import annotations

import pytest

from runtime.llvm.compilation import object_code
from runtime.llvm.cpu import this_cpu
from runtime.llvm.text import OPTNONE

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
