"""XeGPU text goes through real mlir-opt and back: the forms that LLVM 19 and 22 know."""

from __future__ import annotations

import pytest

from tests.peer.mlir_opt import accepted, check_exchange, meaning, mlir_opt, needs
from tests.unit.xegpu.dialects.support import parse
from xegpu.diagnostics import CompileError

BOTH = {
    "create of a matrix": (
        "%m: memref<96x80xf16>, %i: index",
        "%0 = xegpu.create_nd_tdesc %m[%i, 16] : memref<96x80xf16> -> !xegpu.tensor_desc<8x16xf16>",
    ),
    "create of a vector": (
        "%m: memref<1024xf32>, %i: index",
        "%0 = xegpu.create_nd_tdesc %m[%i] : memref<1024xf32> -> !xegpu.tensor_desc<32xf32>",
    ),
    "update": (
        "%d: !xegpu.tensor_desc<8x16xf16>, %i: index",
        "%0 = xegpu.update_nd_offset %d, [%i, 32] : !xegpu.tensor_desc<8x16xf16>",
    ),
    "update of a vector": (
        "%d: !xegpu.tensor_desc<32xf32>",
        "%0 = xegpu.update_nd_offset %d, [32] : !xegpu.tensor_desc<32xf32>",
    ),
    "prefetch": (
        "%d: !xegpu.tensor_desc<8x16xf16>",
        "xegpu.prefetch_nd %d <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<uncached>}> "
        ": !xegpu.tensor_desc<8x16xf16>",
    ),
    "load": (
        "%d: !xegpu.tensor_desc<8x16xf16>",
        "%0 = xegpu.load_nd %d <{l1_hint = #xegpu.cache_hint<streaming>, l3_hint = #xegpu.cache_hint<read_invalidate>}>"
        " : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>",
    ),
    "transposed load": (
        "%d: !xegpu.tensor_desc<16x8xf32>",
        "%0 = xegpu.load_nd %d <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<8x16xf32>",
    ),
    "store": (
        "%d: !xegpu.tensor_desc<8x16xf16>, %v: vector<8x16xf16>",
        "xegpu.store_nd %v, %d <{l1_hint = #xegpu.cache_hint<write_back>, l2_hint = #xegpu.cache_hint<write_through>}> "
        ": vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>",
    ),
    "named barriers": (
        "%id: i8, %n: i8",
        "xegpu.alloc_nbarrier 8\n"
        "%0 = xegpu.init_nbarrier %id, %n : i8, i8 -> !xegpu.nbarrier\n"
        "xegpu.nbarrier_arrive %0 : !xegpu.nbarrier\n"
        "xegpu.nbarrier_wait %0 : !xegpu.nbarrier",
    ),
}

ONLY_19 = {
    "create of a dynamic matrix": (
        "%m: memref<?x?xf32>, %h: index, %w: index",
        "%0 = xegpu.create_nd_tdesc %m[0, %w], [%h, %w], [%w, 1] : memref<?x?xf32> -> !xegpu.tensor_desc<8x16xf32>",
    ),
    "create of a pointer": (
        "%p: ui64, %h: index, %w: index",
        "%0 = xegpu.create_nd_tdesc %p[%h, 0], [%h, %w], [%w, 1] : ui64 -> !xegpu.tensor_desc<8x16xf16>",
    ),
    "dpas of packed operands": (
        "%a: vector<8x8x2xf16>, %b: vector<8x16x2xf16>, %c: vector<8x16xf32>",
        "%0 = xegpu.dpas %a, %b, %c : vector<8x8x2xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>",
    ),
}

POINTS = "!xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>"

ONLY_22 = {
    "create of a plane": (
        "%m: memref<4x96x80xf16>, %i: index",
        "%0 = xegpu.create_nd_tdesc %m[%i, 8, 16] : memref<4x96x80xf16> -> !xegpu.tensor_desc<8x16xf16>",
    ),
    "create of local memory": (
        "%m: memref<1024xf32, 3>",
        "%0 = xegpu.create_nd_tdesc %m[0] : memref<1024xf32, 3> "
        "-> !xegpu.tensor_desc<32xf32, #xegpu.block_tdesc_attr<memory_space = slm>>",
    ),
    "packed load": (
        "%d: !xegpu.tensor_desc<16x16xf16>",
        "%0 = xegpu.load_nd %d <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>",
    ),
    "load of two blocks": (
        "%d: !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>",
        "%0 = xegpu.load_nd %d : !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>> "
        "-> vector<2x8x16xf16>",
    ),
    "load of a vector": (
        "%d: !xegpu.tensor_desc<32xf32>",
        "%0 = xegpu.load_nd %d : !xegpu.tensor_desc<32xf32> -> vector<32xf32>",
    ),
    "store of a vector": (
        "%d: !xegpu.tensor_desc<32xf32>, %v: vector<32xf32>",
        "xegpu.store_nd %v, %d : vector<32xf32>, !xegpu.tensor_desc<32xf32>",
    ),
    "dpas": (
        "%a: vector<8x16xf16>, %b: vector<16x16xf16>",
        "%0 = xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>",
    ),
    "dpas of a packed operand": (
        "%a: vector<8x16xf16>, %b: vector<8x16x2xf16>, %c: vector<8x16xf32>",
        "%0 = xegpu.dpas %a, %b, %c : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>",
    ),
    "scattered descriptor": (
        "%d: !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<memory_space = slm, chunk_size = 4 : i64>>",
        "",
    ),
    # The generic form of LLVM 19 names and numbers memory spaces differently.
    "fence of global memory": ("", "xegpu.fence memory_kind = global, fence_scope = workgroup"),
    "fence of local memory": ("", "xegpu.fence memory_kind = slm, fence_scope = gpu"),
    "create of places": (
        "%m: memref<1024xf32>, %off: vector<16xindex>",
        "%0 = xegpu.create_tdesc %m, %off : memref<1024xf32>, vector<16xindex> "
        "-> !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>>",
    ),
    "create of places behind a pointer": (
        "%p: ui64, %off: vector<16xindex>",
        f"%0 = xegpu.create_tdesc %p, %off : ui64, vector<16xindex> -> {POINTS}",
    ),
    "create of places in local memory": (
        "%m: memref<1024xf32, 3>, %off: vector<16xindex>",
        "%0 = xegpu.create_tdesc %m, %off : memref<1024xf32, 3>, vector<16xindex> "
        "-> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<memory_space = slm>>",
    ),
    "update of places": (
        f"%d: {POINTS}, %off: vector<16xindex>",
        f"%0 = xegpu.update_offset %d, %off : {POINTS}, vector<16xindex>",
    ),
    "prefetch of places": (
        f"%d: {POINTS}",
        f"xegpu.prefetch %d <{{l1_hint = #xegpu.cache_hint<cached>}}> : {POINTS}",
    ),
    "gather": (
        f"%d: {POINTS}, %m: vector<16xi1>",
        f"%0 = xegpu.load %d, %m <{{l1_hint = #xegpu.cache_hint<cached>}}> : {POINTS}, vector<16xi1> -> vector<16xf32>",
    ),
    "scatter": (
        f"%d: {POINTS}, %m: vector<16xi1>, %v: vector<16xf32>",
        f"xegpu.store %v, %d, %m <{{l2_hint = #xegpu.cache_hint<write_back>}}> "
        f": vector<16xf32>, {POINTS}, vector<16xi1>",
    ),
    "atomic": (
        f"%d: {POINTS}, %m: vector<16xi1>, %v: vector<16xf32>",
        f"%0 = xegpu.atomic_rmw addf %d, %m, %v : {POINTS}, vector<16xi1>, vector<16xf32> -> vector<16xf32>",
    ),
}


def cases(version: int) -> dict[str, tuple[str, str]]:
    return BOTH | (ONLY_19 if version == 19 else ONLY_22)


@needs(19)
@pytest.mark.parametrize("case", cases(19).values(), ids=cases(19).keys())
def test_exchange_with_19(case):
    arguments, op = case
    check_exchange(19, f"func.func @f({arguments}) {{\n{op}\nreturn\n}}")


@pytest.mark.sampled(every=20)
@needs(22)
@pytest.mark.parametrize("case", cases(22).values(), ids=cases(22).keys())
def test_exchange_with_22(case):
    arguments, op = case
    check_exchange(22, f"func.func @f({arguments}) {{\n{op}\nreturn\n}}")


OLDER = {
    "packed load": (
        "%d: !xegpu.tensor_desc<8x16xf16>",
        "%0 = xegpu.load_nd %d <{vnni_axis = 0 : i64}> : !xegpu.tensor_desc<8x16xf16> -> vector<4x16x2xf16>",
        "%0 = xegpu.load_nd %d <{packed}> : !xegpu.tensor_desc<8x16xf16> -> vector<4x16x2xf16>",
        ("custom", "generic"),
    ),
    "fence of local memory": (
        "",
        "xegpu.fence memory_kind = slm, fence_scope = gpu",
        "xegpu.fence memory_kind = slm, fence_scope = gpu",
        ("custom", "generic"),
    ),
    "create of places": (
        "%p: ui64",
        "%0 = xegpu.create_tdesc %p[0, 8] {chunk_size = 2 : i64} "
        ": ui64 -> !xegpu.tensor_desc<2x2xf32, #xegpu.tdesc_attr<scattered = true>>",
        "%0 = arith.constant dense<[0, 8]> : vector<2xindex>\n"
        "%1 = xegpu.create_tdesc %p, %0 : ui64, vector<2xindex> "
        "-> !xegpu.tensor_desc<2x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2 : i64>>",
        ("custom",),
    ),
    "update of places": (
        "%d: !xegpu.tensor_desc<2xf32, #xegpu.tdesc_attr<scattered = true>>, %x: index",
        "%0 = xegpu.update_offset %d, [%x, %x] : !xegpu.tensor_desc<2xf32, #xegpu.tdesc_attr<scattered = true>>",
        "%0 = vector.from_elements %x, %x : vector<2xindex>\n"
        "%1 = xegpu.update_offset %d, %0 "
        ": !xegpu.tensor_desc<2xf32, #xegpu.scatter_tdesc_attr<>>, vector<2xindex>",
        ("custom",),
    ),
    "atomic": (
        "%d: !xegpu.tensor_desc<2xf32, #xegpu.tdesc_attr<scattered = true>>, %m: vector<2xi1>, %v: vector<2xf32>",
        "%0 = xegpu.atomic_rmw addf %d, %m, %v "
        ": <2xf32, #xegpu.tdesc_attr<scattered = true>>, vector<2xi1>, vector<2xf32> -> vector<2xf32>",
        "%0 = xegpu.atomic_rmw addf %d, %m, %v "
        ": !xegpu.tensor_desc<2xf32, #xegpu.scatter_tdesc_attr<>>, vector<2xi1>, vector<2xf32> -> vector<2xf32>",
        ("custom", "generic"),
    ),
}


@needs(19)
@pytest.mark.parametrize("case", OLDER.values(), ids=OLDER.keys())
def test_what_19_writes_otherwise_becomes_canonical(case):
    arguments, older, canonical, forms = case
    text = f"func.func @f({arguments}) {{\n{older}\nreturn\n}}"
    options = {"custom": (), "generic": ("--mlir-print-op-generic",)}
    later = arguments.replace("#xegpu.tdesc_attr<scattered = true>", "#xegpu.scatter_tdesc_attr<>")
    expected = meaning(parse(f"func.func @f({later}) {{\n{canonical}\nreturn\n}}"))
    for form in forms:
        assert meaning(parse(accepted(19, text, *options[form]))) == expected


REFUSED = {
    "local matrix": ("%d: !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<memory_space = slm>>", ""),
    "chunk that is no column": (
        "%d: !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 8 : i64>>",
        "",
    ),
    "memory space": (
        "%m: memref<64xf32, 3>",
        "%0 = xegpu.create_nd_tdesc %m[0] : memref<64xf32, 3> -> !xegpu.tensor_desc<32xf32>",
    ),
    "rank of offsets": (
        "%m: memref<64x64xf32>",
        "%0 = xegpu.create_nd_tdesc %m[0] : memref<64x64xf32> -> !xegpu.tensor_desc<32xf32>",
    ),
    "rank above the source's": (
        "%m: memref<64xf32>",
        "%0 = xegpu.create_nd_tdesc %m[0] : memref<64xf32> -> !xegpu.tensor_desc<8x16xf32>",
    ),
    "element type": (
        "%m: memref<64xf32>",
        "%0 = xegpu.create_nd_tdesc %m[0] : memref<64xf32> -> !xegpu.tensor_desc<32xf16>",
    ),
    "scattered": (
        "%m: memref<64xf32>",
        "%0 = xegpu.create_nd_tdesc %m[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>",
    ),
    "number of offsets": (
        "%d: !xegpu.tensor_desc<8x16xf16>",
        "%0 = xegpu.update_nd_offset %d, [0] : !xegpu.tensor_desc<8x16xf16>",
    ),
    "hint of a prefetch": (
        "%d: !xegpu.tensor_desc<8x16xf16>",
        "xegpu.prefetch_nd %d <{l1_hint = #xegpu.cache_hint<write_back>}> : !xegpu.tensor_desc<8x16xf16>",
    ),
    "hint of a store": (
        "%d: !xegpu.tensor_desc<8x16xf16>, %v: vector<8x16xf16>",
        "xegpu.store_nd %v, %d <{l1_hint = #xegpu.cache_hint<read_invalidate>}> "
        ": vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>",
    ),
    "shape of a load": (
        "%d: !xegpu.tensor_desc<8x16xf16>",
        "%0 = xegpu.load_nd %d : !xegpu.tensor_desc<8x16xf16> -> vector<8x12xf16>",
    ),
    "element type of a load": (
        "%d: !xegpu.tensor_desc<8x16xf16>",
        "%0 = xegpu.load_nd %d : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf32>",
    ),
    "shape of a store": (
        "%d: !xegpu.tensor_desc<8x16xf16>, %v: vector<16x16xf16>",
        "xegpu.store_nd %v, %d : vector<16x16xf16>, !xegpu.tensor_desc<8x16xf16>",
    ),
    "offsets of places": (
        "%p: ui64, %off: vector<16xi32>",
        f"%0 = xegpu.create_tdesc %p, %off : ui64, vector<16xi32> -> {POINTS}",
    ),
    "source of places": (
        "%m: memref<8x8xf32>, %off: vector<16xindex>",
        f"%0 = xegpu.create_tdesc %m, %off : memref<8x8xf32>, vector<16xindex> -> {POINTS}",
    ),
    "number of places": (
        "%p: ui64, %off: vector<8xindex>",
        f"%0 = xegpu.create_tdesc %p, %off : ui64, vector<8xindex> -> {POINTS}",
    ),
    "prefetch of a block": ("%d: !xegpu.tensor_desc<16xf32>", "xegpu.prefetch %d : !xegpu.tensor_desc<16xf32>"),
    "gather of a block": (
        "%d: !xegpu.tensor_desc<16xf32>, %m: vector<16xi1>",
        "%0 = xegpu.load %d, %m : !xegpu.tensor_desc<16xf32>, vector<16xi1> -> vector<16xf32>",
    ),
    "mask of a gather": (
        f"%d: {POINTS}, %m: vector<8xi1>",
        f"%0 = xegpu.load %d, %m : {POINTS}, vector<8xi1> -> vector<16xf32>",
    ),
    "element type of an atomic": (
        f"%d: {POINTS}, %m: vector<16xi1>, %v: vector<16xi32>",
        f"%0 = xegpu.atomic_rmw addi %d, %m, %v : {POINTS}, vector<16xi1>, vector<16xi32> -> vector<16xi32>",
    ),
    "participants": (
        "%id: i8, %n: i32",
        "%0 = xegpu.init_nbarrier %id, %n : i8, i32 -> !xegpu.nbarrier",
    ),
    "memory kind": ("", "xegpu.fence memory_kind = shared, fence_scope = gpu"),
    "K of dpas": (
        "%a: vector<8x8xf16>, %b: vector<16x16xf16>",
        "%0 = xegpu.dpas %a, %b : vector<8x8xf16>, vector<16x16xf16> -> vector<8x16xf32>",
    ),
    "M of dpas": (
        "%a: vector<8x16xf16>, %b: vector<16x16xf16>",
        "%0 = xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<4x16xf32>",
    ),
    "N of dpas": (
        "%a: vector<8x16xf16>, %b: vector<16x16xf16>",
        "%0 = xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x8xf32>",
    ),
    "element types of dpas": (
        "%a: vector<8x16xf16>, %b: vector<16x16xbf16>",
        "%0 = xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xbf16> -> vector<8x16xf32>",
    ),
}


@needs(22)
@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED.keys())
def test_what_22_refuses_we_refuse(case):
    arguments, op = case
    text = f"func.func @f({arguments}) {{\n{op}\nreturn\n}}"
    assert mlir_opt(22, text).returncode != 0
    with pytest.raises(CompileError):
        parse(text)
