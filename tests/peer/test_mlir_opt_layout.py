"""Layouts and LLVM 19's attributes go through real mlir-opt; so does what `xegpu-convert-sg-map-to-layout` makes."""

from __future__ import annotations

import pytest

from passes.xegpu.convert_layout_to_sg_map import XegpuConvertLayoutToSgMapPass
from passes.xegpu.convert_sg_map_to_layout import XegpuConvertSgMapToLayoutPass
from tests.peer.mlir_opt import accepted, check_exchange, meaning, mlir_opt, needs
from tests.unit.xegpu.dialects.support import context, custom, generic, parse
from xegpu.diagnostics import CompileError

A = "#xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>"
B = "#xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>"
ROWS = "#xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>"
POINTS = f"!xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>, {A}>"

MAPPED = {
    "product": (
        f"%ta: !xegpu.tensor_desc<8x16xf16, {A}>, %tb: !xegpu.tensor_desc<16x16xf16, {B}>, "
        f"%tc: !xegpu.tensor_desc<8x16xf32, {A}>",
        f"%a = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16, {A}> -> vector<8x16xf16>\n"
        f"%b = xegpu.load_nd %tb <{{packed}}> : !xegpu.tensor_desc<16x16xf16, {B}> -> vector<8x16x2xf16>\n"
        f"%c = xegpu.dpas %a, %b {{sg_map_a = {A}, sg_map_b = {B}, sg_map_c = {A}}} "
        ": vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>\n"
        f"xegpu.store_nd %c, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32, {A}>",
    ),
    "vector": (
        "%m: memref<1024xf32>, %i: index",
        f"%t = xegpu.create_nd_tdesc %m[%i] : memref<1024xf32> -> !xegpu.tensor_desc<32xf32, {A}>\n"
        f"%u = xegpu.update_nd_offset %t, [32] : !xegpu.tensor_desc<32xf32, {A}>\n"
        f"%v = xegpu.load_nd %u : !xegpu.tensor_desc<32xf32, {A}> -> vector<32xf32>",
    ),
    "blocks": (
        f"%t: !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>, {A}>",
        f"xegpu.prefetch_nd %t : !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>, {A}>",
    ),
    "transposed": (
        f"%t: !xegpu.tensor_desc<16x8xf32, {ROWS}>",
        f"%v = xegpu.load_nd %t <{{transpose = array<i64: 1, 0>}}> : !xegpu.tensor_desc<16x8xf32, {ROWS}> "
        "-> vector<8x16xf32>",
    ),
    "gather": (
        "%m: memref<1024xf32>, %o: vector<16xindex>, %k: vector<16xi1>",
        f"%t = xegpu.create_tdesc %m, %o : memref<1024xf32>, vector<16xindex> -> {POINTS}\n"
        f"%v = xegpu.load %t, %k : {POINTS}, vector<16xi1> -> vector<16xf32>\n"
        f"xegpu.store %v, %t, %k : vector<16xf32>, {POINTS}, vector<16xi1>",
    ),
    "chunks": (
        f"%t: !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>, {ROWS}>, "
        f"%u: !xegpu.tensor_desc<16x4xf16, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>, "
        "#xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 2]>>",
        "",
    ),
}


@needs(22)
@pytest.mark.parametrize("case", MAPPED.values(), ids=MAPPED.keys())
def test_22_reads_what_layouts_are_made_of(case: tuple[str, str]) -> None:
    arguments, body = case
    text = f"func.func @f({arguments}) {{\n{body}\nreturn\n}}"
    module = parse(text)
    XegpuConvertSgMapToLayoutPass().apply(context(), module)
    converted = custom(module)
    assert "sg_map" not in converted
    check_exchange(22, converted)
    back = parse(accepted(22, converted))
    XegpuConvertLayoutToSgMapPass().apply(context(), back)
    assert meaning(back) == meaning(parse(text))


LAYOUTS = [
    "#xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>",
    "#xegpu.layout<sg_layout = [8, 4], sg_data = [32, 64], inst_data = [8, 16], lane_layout = [1, 16], "
    "lane_data = [1, 1], order = [0, 1]>",
    "#xegpu.layout<lane_data = [1, 1, 2], lane_layout = [1, 1, 16], order = [2, 1, 0]>",
    "#xegpu.layout<inst_data = [8]>",
    "#xegpu<layout<lane_layout = [16]>>",
]


@needs(22)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_22_prints_layouts_as_we_do(layout: str) -> None:
    text = f"func.func private @f() attributes {{a = {layout}}}"
    ours = parse(text)
    assert generic(parse(accepted(22, custom(ours)))) == generic(ours)
    (line,) = [line for line in accepted(22, text).splitlines() if "@f" in line]
    assert line.partition("attributes")[2] == custom(ours).partition("attributes")[2].splitlines()[0]


REFUSED = [
    "#xegpu.layout<>",
    "#xegpu.layout<order = [1, 0]>",
    "#xegpu.layout<inst_data = [8, 16], lane_data = [1, 1]>",
    "#xegpu.layout<inst_data = [8, 16], sg_data = [1, 1]>",
    "#xegpu.layout<inst_data = [8, 16], order = [1, 0]>",
    "#xegpu.layout<lane_layout = [1, 16], lane_data = [1]>",
    "#xegpu.layout<lane_layout = [1, 16], order = [0]>",
    "#xegpu.layout<sg_layout = [4, 4], inst_data = [8]>",
    "#xegpu.layout<lane_layout = [1, 4294967297]>",
    "#xegpu.layout<lane_layout = [1, 16], lane_layout = [1, 16]>",
    "#xegpu.layout<lanes = [1, 16]>",
    "#xegpu.memory_space<slm>",
    "#xegpu<cache_hint cached>",
]


@needs(22)
@pytest.mark.parametrize("attribute", REFUSED)
def test_what_22_refuses_we_refuse(attribute: str) -> None:
    text = f"func.func private @f() attributes {{a = {attribute}}}"
    assert mlir_opt(22, text).returncode != 0
    with pytest.raises(CompileError):
        parse(text)


LLVM_19 = {
    "!xegpu.tensor_desc<8x16xf16, #xegpu.tdesc_attr<>>": "8x16xf16, #xegpu.block_tdesc_attr<>",
    "!xegpu.tensor_desc<64xf16, #xegpu.tdesc_attr<memory_scope = slm, array_length = 2, boundary_check = false>>": (
        "64xf16, #xegpu.block_tdesc_attr<memory_space = slm, array_length = 2 : i64, boundary_check = false>"
    ),
    "!xegpu.tensor_desc<16xf32, #xegpu.tdesc_attr<scattered = true>>": "16xf32, #xegpu.scatter_tdesc_attr<>",
    "!xegpu.tensor_desc<16x4xf32, #xegpu.tdesc_attr<scattered = true, memory_scope = slm>>": (
        "16x4xf32, #xegpu.scatter_tdesc_attr<memory_space = slm, chunk_size = 4 : i64>"
    ),
}


@needs(19)
@pytest.mark.parametrize(("old", "new"), LLVM_19.items())
def test_types_that_19_prints_are_read(old: str, new: str) -> None:
    printed = accepted(19, f"func.func private @f({old})")
    assert generic(parse(printed)) == generic(parse(f"func.func private @f(!xegpu.tensor_desc<{new}>)"))


@needs(19)
def test_enumerations_that_19_prints_are_read() -> None:
    printed = accepted(19, "func.func @f(%m: memref<4xf32, #xegpu<memory_scope slm>>) {\nreturn\n}")
    assert "memref<4xf32, #xegpu<memory_space slm>>" in custom(parse(printed))
    fence = "func.func @f() {\nxegpu.fence memory_kind = slm, fence_scope = gpu\nreturn\n}"
    assert meaning(parse(accepted(19, fence, "--mlir-print-op-generic"))) == meaning(parse(fence))
