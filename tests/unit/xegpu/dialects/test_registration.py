"""Tests of the dialects that a context knows, and of when they are imported."""

from __future__ import annotations

import subprocess
import sys

import pytest
from xdsl.dialects import arith, gpu, memref, vector
from xdsl.dialects.builtin import VectorType, f32, i32
from xdsl.ir import Operation
from xdsl.traits import is_side_effect_free
from xdsl.utils.test_value import create_ssa_value

from tests.unit.xegpu.dialects.support import context, parse
from xegpu.dialects import dialects
from xegpu.mlir import extend

SCATTERED = "!xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>"


def test_all_dialects_of_xdsl_stay_available():
    from xdsl.dialects import get_all_dialects

    assert dialects().keys() >= get_all_dialects().keys() | {"xegpu", "xe", "index", "spirv"}


def test_nothing_is_imported_before_it_is_used():
    code = (
        "import sys\n"
        "from xdsl.context import Context\n"
        "from xegpu.dialects import register_dialects\n"
        "register_dialects(Context())\n"
        "assert not {'xegpu.dialects.xegpu', 'xegpu.dialects.upstream.gpu', 'xdsl.dialects.gpu'} & sys.modules.keys()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("base", [arith.Arith, gpu.GPU, memref.MemRef, vector.Vector], ids=lambda base: base.name)
def test_extended_dialects_keep_every_operation_and_attribute(base):
    ours = context().get_dialect(base.name)
    assert {op.name for op in ours.operations} >= {op.name for op in base.operations}
    assert {attribute.name for attribute in ours.attributes} >= {attribute.name for attribute in base.attributes}


def test_extend_replaces_by_name_and_adds():
    class Fake(Operation):
        name = "arith.addi"

    class New(Operation):
        name = "arith.new"

    class Other(Operation):
        name = "math.new"

    operations = {op.name: op for op in extend(arith.Arith, [Fake, New, Other]).operations}
    assert "math.new" not in operations
    assert operations["arith.addi"] is Fake
    assert operations["arith.new"] is New
    assert operations["arith.subi"] is arith.SubiOp


def test_operations_that_xdsl_has_right_stay_its_own():
    module = parse("func.func @f(%a: i32) { %0 = arith.addi %a, %a : i32 return }")
    assert any(type(op) is arith.AddiOp for op in module.walk())


@pytest.mark.parametrize(
    "text",
    [
        "%r = arith.remui %i, %i : index",
        "%r = arith.extsi %b : i8 to i32",
        "%r = gpu.thread_id x",
        "%r = vector.create_mask %i : vector<4xi1>",
        "%r = vector.reduction <add>, %v : vector<4xf32> into f32",
        "%r = vector.bitcast %v : vector<4xf32> to vector<4xi32>",
        "%r = index.ceildivs %i, %i",
        "%r = memref.memory_space_cast %m : memref<4xf32> to memref<4xf32, 3>",
        f"%r = xegpu.create_tdesc %p, %o : ui64, vector<16xindex> -> {SCATTERED}",
        f"%r = xegpu.update_offset %s, %o : {SCATTERED}, vector<16xindex>",
    ],
)
def test_computing_has_no_side_effects(text):
    arguments = (
        f"%i: index, %b: i8, %v: vector<4xf32>, %m: memref<4xf32>, %p: ui64, %o: vector<16xindex>, %s: {SCATTERED}"
    )
    module = parse(f"func.func @f({arguments}) {{ {text} return }}")
    op = next(op for op in module.walk() if op.results)
    assert is_side_effect_free(op)


@pytest.mark.parametrize(
    "text",
    [
        "gpu.barrier",
        "vector.store %v, %m[%i] : memref<4xf32>, vector<4xf32>",
        "%r = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<4xf32>) -> f32",
        "xegpu.prefetch_nd %d : !xegpu.tensor_desc<16xf32>",
        "xegpu.store_nd %w, %d : vector<16xf32>, !xegpu.tensor_desc<16xf32>",
        f"xegpu.prefetch %s : {SCATTERED}",
        f"xegpu.store %w, %s, %p : vector<16xf32>, {SCATTERED}, vector<16xi1>",
        f"%r = xegpu.atomic_rmw addf %s, %p, %w : {SCATTERED}, vector<16xi1>, vector<16xf32> -> vector<16xf32>",
        "xegpu.alloc_nbarrier 8",
        "%r = xegpu.init_nbarrier %b, %b : i8, i8 -> !xegpu.nbarrier",
        "xegpu.nbarrier_arrive %n : !xegpu.nbarrier",
        "xegpu.nbarrier_wait %n : !xegpu.nbarrier",
        "xegpu.fence memory_kind = global, fence_scope = gpu",
        "xegpu.compile_hint",
    ],
)
def test_what_others_see_is_a_side_effect(text):
    arguments = (
        "%i: index, %x: f32, %v: vector<4xf32>, %w: vector<16xf32>, %m: memref<4xf32>, %d: !xegpu.tensor_desc<16xf32>, "
        f"%s: {SCATTERED}, %p: vector<16xi1>, %b: i8, %n: !xegpu.nbarrier"
    )
    module = parse(f"func.func @f({arguments}) {{ {text} return }}")
    op = next(op for op in module.walk() if f"{op.name} " in f"{text} ")
    assert not is_side_effect_free(op)


def test_operations_are_made_in_python():
    from xegpu.dialects.upstream import arith as our_arith, vector as our_vector

    v = create_ssa_value(VectorType(i32, [2, 4]))
    compare = our_arith.CmpiOp(v, v, "slt")
    compare.verify()
    assert str(compare.result.type) == "vector<2x4xi1>"
    transposed = our_vector.TransposeOp(v, [1, 0])
    transposed.verify()
    assert str(transposed.result.type) == "vector<4x2xi32>"
    part = our_vector.ExtractOp(transposed.result, [2])
    part.verify()
    assert str(part.result.type) == "vector<2xi32>"
    slice_ = our_vector.ExtractStridedSliceOp(v, [0, 1], [1, 2])
    slice_.verify()
    assert str(slice_.result.type) == "vector<1x2xi32>"
    cast = our_arith.SIToFPOp(v, VectorType(f32, [2, 4]))
    cast.verify()
