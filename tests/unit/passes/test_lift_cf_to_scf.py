"""Structured control flow is the same each time, wherever the objects of the compiler are in memory."""

from __future__ import annotations

from passes.frontends.llvm import import_kernels
from runtime.mux.compilation.compiler import compile_kernels

LEAVING_AT_THREE_PLACES = """
define spir_kernel void @k(ptr addrspace(1) %x) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %head
head:
  %n = phi i64 [ %i, %entry ], [ %next, %third ]
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %n
  %a = load i32, ptr addrspace(1) %p
  %c = icmp eq i32 %a, 3
  br i1 %c, label %one, label %second
second:
  %b = mul i32 %a, %a
  %d = icmp eq i32 %b, 25
  br i1 %d, label %two, label %third
third:
  %next = add i64 %n, 1
  %e = icmp eq i64 %next, 64
  br i1 %e, label %three, label %head
one:
  store i32 %a, ptr addrspace(1) %x
  ret void
two:
  store i32 %b, ptr addrspace(1) %p
  br label %three
three:
  %f = phi i32 [ 7, %two ], [ %b, %third ]
  store i32 %f, ptr addrspace(1) %x
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)
"""


def test_loops_with_several_exits() -> None:
    kept = []
    made = set()
    for n in range(12):
        module = import_kernels(LEAVING_AT_THREE_PLACES)
        made.add(compile_kernels(module, "pvc", "k.ll"))
        kept.append([object() for _ in range(997 * n)])
    assert len(made) == 1
