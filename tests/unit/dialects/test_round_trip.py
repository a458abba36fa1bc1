"""Printing is a fixed point: on everything that the FileCheck tests hold, and on random IR."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp, VectorType, f16, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue

from tests.unit.dialects.support import generic, parse
from xegpu.diagnostics import verify
from xegpu.dialects.xegpu import (
    CacheHint,
    CacheHints,
    CreateNdDescOp,
    DpasOp,
    LoadNdOp,
    PrefetchNdOp,
    SgMapAttr,
    StoreNdOp,
    TensorDescType,
    UpdateNdOffsetOp,
)

ROOT = Path(__file__).parents[3]
CORPUS = [
    path
    for path in (*sorted((ROOT / "tests/lit/dialects").rglob("*.mlir")), *sorted((ROOT / "examples").rglob("*.mlir")))
    if "XEGPU_INVALID" not in (text := path.read_text())
    and "--verify-diagnostics" not in text
    and "not xegpu-opt" not in text
]


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: str(path.relative_to(ROOT)))
def test_corpus_is_a_fixed_point_in_both_forms(path):
    module = parse(path.read_text())
    custom, generic_form = str(module), generic(module)
    assert str(parse(custom)) == custom
    assert generic(parse(generic_form)) == generic_form
    assert str(parse(generic_form)) == custom


hints = st.builds(CacheHints, *[st.sampled_from([None, CacheHint.CACHED, CacheHint.UNCACHED, CacheHint.STREAMING])] * 3)
constants = st.integers(-(1 << 63) + 1, (1 << 63) - 1)


@st.composite
def modules(draw: st.DrawFn) -> ModuleOp:
    """A function with random chains of descriptor, load, dpas and store operations."""
    block = Block(arg_types=[MemRefType(f16, [64, 64]), MemRefType(f32, [64, 64]), IndexType(), IndexType()])
    halves, singles, *indices = block.args
    offset = st.sampled_from(indices) | constants
    lanes, pairs = SgMapAttr([1, 16], [1, 1]), SgMapAttr([1, 16], [2, 1])
    mapped = draw(st.booleans())
    whole_or_lane = draw(st.booleans()) or not mapped

    def describe(source: SSAValue, shape: list[int], sg_map: SgMapAttr) -> SSAValue:
        assert isinstance(source.type, MemRefType)
        desc = TensorDescType(shape, source.type.element_type, None, sg_map if mapped else None)
        op = CreateNdDescOp(source, [draw(offset), draw(offset)], desc)
        block.add_op(op)
        return op.tensor_desc

    a, b = describe(halves, [8, 16], lanes), describe(halves, [16, 16], pairs)
    c = describe(singles, [8, 16], lanes)
    for _ in range(draw(st.integers(0, 3))):
        update = UpdateNdOffsetOp(a, [draw(offset), draw(offset)])
        block.add_ops([update, PrefetchNdOp(update.result, draw(hints))])
        a = update.result
    packed = draw(st.booleans()) if whole_or_lane else True
    shapes = ([8, 16], [8, 16, 2] if packed else [16, 16], [8, 16]) if whole_or_lane else ([8, 1], [8, 2], [8, 1])
    load_a = LoadNdOp(a, VectorType(f16, shapes[0]), hints=draw(hints))
    load_b = LoadNdOp(b, VectorType(f16, shapes[1]), packed=packed, hints=draw(hints))
    load_c = LoadNdOp(c, VectorType(f32, shapes[2]), hints=draw(hints))
    maps = (lanes, pairs, lanes) if mapped else None
    product = DpasOp(load_a, load_b, draw(st.sampled_from([None, load_c])), VectorType(f32, shapes[2]), maps)
    block.add_ops([load_a, load_b, load_c, product, StoreNdOp(product, c, draw(hints)), ReturnOp()])
    return ModuleOp([FuncOp("f", (block.arg_types, []), Region(block))])


@settings(max_examples=40, deadline=None)
@given(modules())
def test_random_modules_survive_both_forms(module):
    verify(module)
    assert parse(str(module)).is_structurally_equivalent(module)
    assert parse(generic(module)).is_structurally_equivalent(module)
    assert str(parse(generic(module))) == str(module)
