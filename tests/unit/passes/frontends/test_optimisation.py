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


LOOP = """
define spir_kernel void @k(ptr addrspace(1) %p) {{
entry:
  %a = alloca [16 x i32], align 4
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %go = icmp ult i32 %i, {count}
  br i1 %go, label %body, label %end
body:
  %wide = zext i32 %i to i64
  %x = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  %v = load i32, ptr addrspace(1) %x
  %m = and i32 %i, 15
  %e = getelementptr [16 x i32], ptr %a, i64 0, i32 %m
  store i32 %v, ptr %e
  %next = add i32 %i, 1
  br label %head, !llvm.loop !0
end:
  %l = getelementptr [16 x i32], ptr %a, i64 0, i64 3
  %r = load i32, ptr %l
  store i32 %r, ptr addrspace(1) %p
  ret void
}}
!0 = distinct !{{!0{hint}}}
!1 = !{{!"llvm.loop.unroll.disable"}}
"""


def test_short_loops_become_straight_code() -> None:
    """Then the elements of an array are values."""
    assert "alloca" not in optimise(LOOP.format(count=8, hint=""))


@pytest.mark.parametrize(("count", "hint"), [(1000, ""), (8, ", !1")])
def test_loops_that_stay(count: int, hint: str) -> None:
    """A loop stays one if it is long, or if its kernel says so."""
    text = optimise(LOOP.format(count=count, hint=hint))
    assert "alloca" in text
    assert text.count(" load i32") == 2


@pytest.mark.parametrize("flags", ["nsz", "reassoc nsz arcp afn", "fast"])
@pytest.mark.parametrize("conversion", ["sitofp", "uitofp", "uitofp nneg"])
def test_permissions_of_conversions_are_dropped(conversion: str, flags: str) -> None:
    """LLVM 23 writes them; the others stay where older versions have them, too."""
    text = f"""
    define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {{
      %x = {conversion} {flags} i32 %n to float
      %y = fadd {flags} float %x, 1.0
      store float %y, ptr addrspace(1) %p
      ret void
    }}
    """
    found = optimise(text)
    assert f" = {conversion} i32" in found
    assert f" = fadd {flags} float" in found
