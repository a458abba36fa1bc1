"""Operations that passes of xDSL make are of our classes where these replace xDSL's, so that rules by class match."""

import pytest
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

import passes
from passes.pipelines import compile_to_kernels, read_module
from passes.support import apply_step
from xegpu.diagnostics import SourceBuffer
from xegpu.dialects import adopt
from xegpu.mlir import verify
from xegpu.targets import TARGETS

CHOICE = """
gpu.module @m {
  gpu.func @f(%p: memref<16xi32>, %a: i32, %b: i32) kernel {
    %0 = arith.constant 0 : index
    %c = arith.cmpi slt, %a, %b : i32
    cf.cond_br %c, ^end(%a : i32), ^end(%b : i32)
  ^end(%x: i32):
    memref.store %x, %p[%0] : memref<16xi32>
    gpu.return
  }
}
"""
"""Canonicalization makes an `arith.select` of the branch."""

PROGRAMS = {
    "canonicalize": (CHOICE, "arith.select"),
    "convert-linalg-to-loops": (
        """
        #same = affine_map<(i) -> (i)>
        func.func @f(%p: memref<16xf32>, %q: memref<16xf32>) {
          linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]} ins(%p : memref<16xf32>)
            outs(%q : memref<16xf32>) {
          ^bb0(%x: f32, %y: f32):
            %z = arith.addf %x, %y : f32
            linalg.yield %z : f32
          }
          return
        }
        """,
        "memref.store",
    ),
    "convert-scf-to-cf": (
        """
        func.func @f(%p: memref<16xf32>, %x: f32) {
          %0 = arith.constant 0 : index
          %1 = arith.constant 1 : index
          %16 = arith.constant 16 : index
          scf.for %i = %0 to %16 step %1 {
            memref.store %x, %p[%i] : memref<16xf32>
          }
          return
        }
        """,
        "arith.cmpi",
    ),
}
"""By pass of xDSL: a program, and an operation that the pass makes of a class that ours replaces."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_operations_of_passes_of_xdsl_are_of_our_classes(name: str) -> None:
    text, made = PROGRAMS[name]
    step = passes.available()[name]()()
    context, module = read_module(SourceBuffer("program.mlir", text))

    def foreign() -> set[str]:
        return {op.name for op in module.walk() if context.get_op(op.name) is not type(op)}

    step.apply(context, module)
    assert made in foreign()
    before, place = str(module), FileLineColLoc(StringAttr("program.mlir"), IntAttr(1), IntAttr(1))
    for op in module.walk():
        op.location = place
    adopt(context, module)
    assert foreign() == set()
    assert {op.location for op in module.walk()} == {place}
    assert str(module).split() == before.split()
    verify(module)


def test_a_step_of_a_pipeline_adopts_what_it_makes() -> None:
    context, module = read_module(SourceBuffer("program.mlir", CHOICE))
    apply_step(passes.available()["canonicalize"]()(), context, module)
    (select,) = (op for op in module.walk() if op.name == "arith.select")
    assert type(select) is context.get_op("arith.select")


def test_kernels_with_such_operations_compile() -> None:
    (kernel,) = compile_to_kernels(CHOICE, TARGETS["pvc"])
    assert kernel.name == "f"
