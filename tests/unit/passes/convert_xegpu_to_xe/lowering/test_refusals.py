"""Tests that code which cannot be compiled is refused with its place in the source, the operation and the reason."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.unit.passes.kernels.gemm import Gemm
from tests.unit.passes.kernels.harness import compile_all, compile_one, kernel_text, refusal, run
from xegpu.targets import ARC, PVC, Target
from zebin import ZebinError, build, read

SUBGROUP = "VectorComputeFunctionINTEL"


def argument_text(type: str) -> str:
    return kernel_text(f"%a: {type}", "")


@pytest.mark.parametrize(
    "type",
    [
        "i4",
        "i128",
        "complex<f32>",
        "vector<8xi1>",
        "f8E4M3FN",
        "!xegpu.tensor_desc<8x16xf32>",
        "memref<4xi4>",
        "memref<4xmemref<4xf32>>",
        "memref<4xcomplex<f32>>",
        "memref<4xf32, 5>",
        "memref<4xf32, #gpu.address_space<private>>",
        "memref<4x4xf32, affine_map<(i, j) -> (i mod 2, j)>>",
    ],
)
def test_arguments_that_cannot_be_passed(type: str) -> None:
    message = refusal(argument_text(type))
    assert message.startswith("kernel.mlir:2:1: error: 'gpu.func' op kernel argument 'a' of type ")
    assert message.endswith(" cannot be passed")


@pytest.mark.parametrize(
    "type", ["memref<4xf32, 0>", "memref<4xf32, #xegpu<memory_space global>>", "ui64", "memref<0xf32>"]
)
def test_arguments_that_can(type: str) -> None:
    assert len(compile_all(argument_text(type))) == 1


X = "%v = xegpu.load_nd %t : !xegpu.tensor_desc<16xf32> -> vector<16xf32>"
T = "%t = xegpu.create_nd_tdesc %m[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>"
USE_I1 = "%e = arith.extui {v} : i1 to i32\n%z = arith.constant 0 : index\nmemref.store %e, %w[%z] : memref<4xi32>"
USE = "%z = arith.constant 0 : index\nmemref.store {v}, %m[%z] : memref<64xf32>"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "%g = vector.vscale\nmemref.store %s, %m[%g] : memref<64xf32>",
            "'vector.vscale' op is not supported in a kernel",
        ),
        ("%a = memref.alloc() : memref<4xf32>\nmemref.store %s, %a[%i] : memref<4xf32>", "'memref.alloc' op of type"),
        (
            "%l = gpu.lane_id\nmemref.store %s, %m[%l] : memref<64xf32>",
            "'gpu.lane_id' op has no meaning in a kernel that",
        ),
        (
            "%k = arith.constant 3 : index\n%d = memref.dim %m, %k : memref<64xf32>\n"
            "memref.store %s, %m[%d] : memref<64xf32>",
            "'memref.dim' op asks for dimension 3 of a memref of rank 1",
        ),
        (
            "%c = arith.constant 1 : i128\n%n = arith.extui %q : i32 to i128\n%d = arith.addi %n, %c : i128\n"
            "%e = arith.trunci %d : i128 to i32\n%z = arith.constant 0 : index\n"
            "memref.store %e, %w[%z] : memref<4xi32>",
            "'arith.constant' op of type i128 is not supported in a kernel",
        ),
        (
            "%n = arith.extui %q : i32 to i128\n%e = arith.trunci %n : i128 to i32\n%z = arith.constant 0 : index\n"
            "memref.store %e, %w[%z] : memref<4xi32>",
            "'arith.extui' op has a result of type i128, which registers do not hold",
        ),
        (
            "%t = xegpu.create_nd_tdesc %bits[0] : memref<8xi1> -> !xegpu.tensor_desc<8xi1>\n"
            "xegpu.prefetch_nd %t : !xegpu.tensor_desc<8xi1>",
            "'xegpu.create_nd_tdesc' op elements of type i1 are not supported",
        ),
        (
            "%a = arith.index_cast %i : index to i64\n%t = xegpu.create_nd_tdesc %a[0] : i64 -> "
            "!xegpu.tensor_desc<8xi1>\nxegpu.prefetch_nd %t : !xegpu.tensor_desc<8xi1>",
            "'xegpu.create_nd_tdesc' op elements of type i1 are not supported",
        ),
    ],
)
def test_operations(body: str, message: str) -> None:
    arguments = "%m: memref<64xf32>, %m2: memref<64xf32>, %w: memref<4xi32>, %bits: memref<8xi1>"
    text = kernel_text(f"{arguments}, %s: f32, %i: index, %q: i32, %p: i1", body, SUBGROUP)
    error = refusal(text)
    assert message in error
    line = int(error.split(":")[1])
    assert line > 2, "the operation's own line"


def test_shared_local_memory() -> None:
    desc = "!xegpu.tensor_desc<16xf32, #xegpu.block_tdesc_attr<memory_space = slm>>"
    body = f"%t = xegpu.create_nd_tdesc %p[0], [64], [1] : ui64 -> {desc}\nxegpu.prefetch_nd %t : {desc}"
    assert "Memory space mismatch. Source: 0, TensorDesc: 3" in refusal(kernel_text("%p: ui64", body))


def test_branch_to_the_entry() -> None:
    """Only the generic form can name the entry block."""
    text = (
        '"gpu.module"() <{sym_name = "m"}> ({\n"gpu.func"() <{function_type = () -> ()}> ({\n^entry:\n'
        '"cf.br"() [^next] : () -> ()\n^next:\n"cf.br"() [^entry] : () -> ()\n'
        '}) {gpu.kernel, sym_name = "k", workgroup_attributions = 0 : i64} : () -> ()\n}) : () -> ()\n'
    )
    assert "a branch back to the entry block is not supported" in refusal(text)


def test_memory_of_functions() -> None:
    text = (
        "gpu.module @m {\ngpu.func @k() workgroup(%s: memref<4xf32, 3>) private(%p: memref<4xf32, 5>) kernel {\n"
        "gpu.return\n}\n}"
    )
    assert [k.facts.slm_size for k in compile_all(text)] == [64]
    dynamic = text.replace("4xf32, 3", "?xf32, 3")
    assert "'gpu.func' op needs memory of a size that is known when the kernel is compiled" in refusal(dynamic)


def test_subgroup_sizes() -> None:
    mode = "spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 8>"
    assert "subgroup size 8 is not one of pvc's: 16, 32" in refusal(kernel_text("", "", mode))
    assert len(compile_all(kernel_text("", "", mode), ARC)) == 1


def test_sizes_of_products() -> None:
    a, b, c = "vector<8x24xbf16>", "vector<24x16xbf16>", "vector<8x16xf32>"
    body = (
        f"%a = arith.constant dense<1.0> : {a}\n%b = arith.constant dense<1.0> : {b}\n"
        f"%c = xegpu.dpas %a, %b : {a}, {b} -> {c}\n"
        f"%t = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>\n"
        f"xegpu.store_nd %c, %t : {c}, !xegpu.tensor_desc<8x16xf32>"
    )
    message = refusal(kernel_text("%m: memref<64x64xf32>", body))
    assert "multiplies 8x24 by 24x16 elements of bf16: pvc needs a multiple of 16 along K and of 16 along N" in message


@pytest.mark.parametrize(
    ("gemm", "reason"),
    [
        (Gemm(16, 32, 16, "tf32"), "multiplies tf32, which the matrix engine of arc does not support"),
        (Gemm(16, 32, 16, "bf16", result="bf16"), "accumulates in bf16: expected f32 for bf16 on arc"),
    ],
)
def test_products_of_a_target(gemm: Gemm, reason: str) -> None:
    message = refusal(gemm.text(), ARC)
    assert reason in message


def test_double_precision_on_a_target_without() -> None:
    body = (
        "%v = memref.load %m[%i] : memref<4xf64>\n%w = arith.addf %v, %v : f64\nmemref.store %w, %m[%i] : memref<4xf64>"
    )
    message = refusal(kernel_text("%m: memref<4xf64>, %i: index", body), ARC)
    assert message.startswith("kernel.mlir:4:")
    assert "arc has no double precision" in message


def test_registers() -> None:
    """All of a vector is needed at once where an index that is computed reads it."""
    body = (
        "%c0 = arith.constant 0 : index\n%i = gpu.block_id x\n"
        "%v = vector.load %m[%c0] : memref<4096xf64>, vector<2048xf64>\n"
        "%e = vector.extract %v[%i] : f64 from vector<2048xf64>\n"
        "memref.store %e, %m[%c0] : memref<4096xf64>"
    )
    message = refusal(kernel_text("%m: memref<4096xf64>", body))
    assert message.startswith("kernel.mlir:6:")
    assert "reads a vector of 16384 bytes at a position computed at run time" in message
    assert "needs the whole vector in the 16384 bytes of registers of pvc: use a smaller vector" in message
    assert "pvc has no mode of 64 registers: expected 128, 256" in refusal(kernel_text("", ""), grf_count=64)


def test_replaced_elements_have_numbers_of_16_bits() -> None:
    body = (
        "%c0 = arith.constant 0 : index\n%i = gpu.block_id x\n%e = memref.load %m[%c0] : memref<99999xi8>\n"
        "%v = vector.load %m[%c0] : memref<99999xi8>, vector<65537xi8>\n"
        "%w = vector.insert %e, %v[%i] : i8 into vector<65537xi8>\n"
        "vector.store %w, %m[%c0] : memref<99999xi8>, vector<65537xi8>"
    )
    message = refusal(kernel_text("%m: memref<99999xi8>", body))
    assert (
        "replaces an element of vector<65537xi8> at a position computed at run time: it has more than 65536" in message
    )


def test_what_is_no_kernel_is_left_alone() -> None:
    """Functions without `kernel`, and host code, may hold anything; several kernels come in order."""
    text = (
        "func.func @host(%x: f32) -> f32 {\n%y = math.exp %x : f32\nfunc.return %y : f32\n}\n"
        "gpu.module @a {\ngpu.func @helper(%x: f32) -> f32 {\n%y = math.exp %x : f32\ngpu.return %y : f32\n}\n"
        "gpu.func @first() kernel {\ngpu.return\n}\ngpu.func @second() kernel {\ngpu.return\n}\n}\n"
        "gpu.module @b {\ngpu.func @third() kernel {\ngpu.return\n}\n}\ngpu.module @empty {\n}\n"
    )
    assert [k.name for k in compile_all(text)] == ["first", "second", "third"]
    assert compile_all("gpu.module @m {\n}") == []


LARGE = "!xegpu.tensor_desc<1000x1000xf32>"
LONG = "!xegpu.tensor_desc<100000000xf32>"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            f"%t = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf32> -> {LARGE}\n"
            f"%v = xegpu.load_nd %t : {LARGE} -> vector<1000x1000xf32>\n"
            f"xegpu.store_nd %v, %t : vector<1000x1000xf32>, {LARGE}",
            "'xegpu.load_nd' op needs 4000000 bytes for vector<1000x1000xf32>: a thread of pvc has 262144",
        ),
        (
            f"%t = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf32> -> {LARGE}\n"
            "%v = arith.constant dense<1.0> : vector<1000x1000xf32>\n"
            f"xegpu.store_nd %v, %t : vector<1000x1000xf32>, {LARGE}",
            "'xegpu.store_nd' op needs 4000000 bytes for vector<1000x1000xf32>: a thread of pvc has 262144",
        ),
        (
            f"%t = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf32> -> {LARGE}\nxegpu.prefetch_nd %t : {LARGE}",
            "'xegpu.prefetch_nd' op reads more than the 262144 bytes that pvc can load",
        ),
        (
            f"%t = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf32> -> {LONG}\nxegpu.prefetch_nd %t : {LONG}",
            "'xegpu.prefetch_nd' op reads more than the 262144 bytes that pvc can load",
        ),
        (
            "%a = arith.constant dense<1.0> : vector<8x32000xbf16>\n"
            "%b = arith.constant dense<1.0> : vector<32000x16xbf16>\n"
            "%c = xegpu.dpas %a, %b : vector<8x32000xbf16>, vector<32000x16xbf16> -> vector<8x16xf32>\n"
            "%t = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>\n"
            "xegpu.store_nd %c, %t : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>",
            "'xegpu.dpas' op needs 512000 bytes for vector<8x32000xbf16>: a thread of pvc has 262144",
        ),
    ],
)
def test_what_no_register_file_holds_is_refused_at_once(body: str, message: str) -> None:
    assert message in refusal(kernel_text("%m: memref<64x64xf32>", body))


def test_values_of_all_work_items_count() -> None:
    vector = "vector<8000xi32>"
    body = (
        "%i = gpu.thread_id x\n%c0 = arith.constant 0 : index\n"
        f"%v = vector.load %m[%i, %c0] : memref<64x4096xi32>, {vector}\n"
        f"vector.store %v, %m[%c0, %i] : memref<64x4096xi32>, {vector}"
    )
    mode = "spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>"
    message = refusal(kernel_text("%m: memref<64x4096xi32>", body, mode))
    assert (
        f"'vector.load' op needs 512000 bytes for {vector} in each of 16 work-items: a thread of pvc has 262144"
        in message
    )


def test_a_large_constant_may_be_used_in_parts() -> None:
    body = (
        "%v = arith.constant dense<1.0> : vector<1000x1000xf32>\n"
        "%w = vector.extract_strided_slice %v {offsets = [0, 0], sizes = [8, 16], strides = [1, 1]} : "
        "vector<1000x1000xf32> to vector<8x16xf32>\n"
        "%t = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>\n"
        "xegpu.store_nd %w, %t : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>"
    )
    assert len(compile_all(kernel_text("%m: memref<64x64xf32>", body))) == 1


@pytest.mark.parametrize(("target", "count"), [(ARC, 700), (PVC, 1500)], ids=["arc", "pvc"])
def test_the_payload_counts_for_the_register_mode(target: Target, count: int) -> None:
    """Arguments fill more than 128 registers."""
    arguments = ", ".join(f"%a{i}: i64" for i in range(count))
    body = (
        f"%c0 = arith.constant 0 : index\n%s = arith.subi %a{count - 1}, %a0 : i64\n"
        "memref.store %s, %o[%c0] : memref<1xi64>"
    )
    text = kernel_text(f"{arguments}, %o: memref<1xi64>", body, "")
    kernel = compile_one(text, target)
    assert kernel.facts.grf_count == 256
    values = [*range(5, count + 5), np.zeros(1, np.int64)]
    assert run(kernel, *values, local=(1, 1, 1), target=target)[0].tolist() == [count - 1]
    assert "starts with arguments in " in refusal(text, target, grf_count=128)


def test_arguments_that_fill_the_registers() -> None:
    arguments = ", ".join(f"%a{i}: memref<4xf32>" for i in range(2500))
    assert "'gpu.func' op takes arguments of 20000 bytes: pvc has 16384" in refusal(kernel_text(arguments, ""))


@pytest.mark.parametrize("vector", ["vector<[4]xf32>", "vector<0xf32>", "vector<4xf8E5M2>"])
def test_vectors_that_registers_do_not_hold(vector: str) -> None:
    """A value that a loop carries needs registers, even if nothing computes with it."""
    constant = f"%v = arith.constant dense<1.0> : {vector}\n"
    loop = (
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        f"%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> ({vector}) {{\n"
        f"memref.store %x, %m[%i] : memref<64xf32>\nscf.yield %a : {vector}\n}}"
    )
    text = kernel_text("%m: memref<64xf32>, %n: index, %x: f32", constant + loop)
    assert f"a block argument of type {vector} is not supported" in refusal(text)


@pytest.mark.parametrize(
    ("mode", "size", "fits", "reason"),
    [
        ("", "1024, 1, 1", True, ""),
        ("", "64, 4, 5", False, "known_block_size [64, 4, 5], 1280 work-items: pvc has 1024 in a work-group"),
        (f"{SUBGROUP}, ", "8, 8, 1", True, ""),
        (f"{SUBGROUP}, ", "65, 1, 1", False, "known_block_size [65, 1, 1], 65 subgroups: pvc has 64 in a work-group"),
    ],
)
def test_sizes_of_groups(mode: str, size: str, fits: bool, reason: str) -> None:
    text = kernel_text("", "", f"{mode}known_block_size = array<i32: {size}>")
    if fits:
        assert len(compile_all(text)) == 1
    else:
        assert reason in refusal(text)


@pytest.mark.parametrize("name", ["a/b", "", "a\\0Ab", "my_kernels_misc_info", "x" * 4097])
def test_names_that_binaries_cannot_hold(name: str) -> None:
    message = refusal(kernel_text("", "", name=f'"{name}"'))
    assert message.startswith("kernel.mlir:2:1: error: 'gpu.func' op is a kernel called '")
    assert "expected " in message
    (kernel,) = compile_all(kernel_text("", ""))
    with pytest.raises(ZebinError):
        build(PVC, [replace(kernel, name=name.replace("\\0A", "\n"))])


@pytest.mark.parametrize("name", ["a b", "a.b", "a: b", "null", "1e5", "\u00fcn\u00ef", "a$b", "- a", "a#b", "_entry"])
def test_names_that_need_quotes(name: str) -> None:
    (kernel,) = compile_all(kernel_text("%a: memref<4xi32>", "", name=f'"{name}"'))
    assert list(read(build(PVC, [kernel])).kernels) == [name]
