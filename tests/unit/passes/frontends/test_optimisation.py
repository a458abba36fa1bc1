"""LLVM inlines every function of a kernel, whatever its linkage."""

from __future__ import annotations

import pytest

from passes.frontends.optimisation import optimise

MODULE = """
define {linkage} spir_func i32 @twice(i32 %x) {{
  %y = add i32 %x, %x
  ret i32 %y
}}
define spir_kernel void @k(ptr addrspace(1) %p) {{
  %x = load i32, ptr addrspace(1) %p
  %y = call spir_func i32 @twice(i32 %x)
  store i32 %y, ptr addrspace(1) %p
  ret void
}}
"""


@pytest.mark.parametrize(
    "linkage",
    [
        *(
            "",
            "private",
            "internal",
            "external",
            "available_externally",
            "linkonce",
            "linkonce_odr",
            "weak",
            "weak_odr",
        ),
        *(
            "dso_local",
            "weak_odr dso_local",
            "hidden",
            "linkonce_odr protected",
            "default",
            "available_externally dso_local",
        ),
    ],
)
def test_calls_disappear(linkage: str) -> None:
    text = optimise(MODULE.format(linkage=linkage))
    assert "call" not in text
    assert "twice" not in text
    assert "shl i32" in text
