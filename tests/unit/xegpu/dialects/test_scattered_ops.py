"""Ops on one place for each lane, and barriers, made in Python."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp, VectorType, f32, i1, i8, i32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.test_value import create_ssa_value

from tests.unit.xegpu.dialects.support import context, generic, parse
from xegpu.diagnostics import CompileError, SourceLocation, location_of
from xegpu.dialects.xegpu import (
    AllocNbarrierOp,
    AtomicKind,
    AtomicRMWOp,
    CacheHint,
    CacheHints,
    CompileHintOp,
    CreateDescOp,
    FenceOp,
    FenceScope,
    InitNbarrierOp,
    LoadOp,
    MemorySpace,
    NbarrierArriveOp,
    NbarrierWaitOp,
    PrefetchOp,
    ScatterTensorDescAttr,
    SgMapAttr,
    StoreOp,
    TensorDescType,
    UpdateOffsetOp,
)
from xegpu.mlir import verify

ADDRESS = IntegerType(64)
POINTS = TensorDescType([16], f32, ScatterTensorDescAttr())
CHUNKS = TensorDescType([16, 4], f32, ScatterTensorDescAttr(chunk_size=4))


@st.composite
def modules(draw: st.DrawFn) -> ModuleOp:
    """A function that describes places, moves them, and gathers, combines and scatters their elements."""
    lanes, chunk = draw(st.sampled_from([1, 2, 4, 8, 16, 24, 32, 64])), draw(st.sampled_from([1, 2, 3, 4]))
    element, kind = draw(st.sampled_from([(f32, AtomicKind.ADDF), (i32, AtomicKind.MAXS), (i32, AtomicKind.ASSIGN)]))
    mapped = draw(st.booleans())
    sg_map = (SgMapAttr([1, lanes], [1, 1]) if chunk == 1 else SgMapAttr([lanes, 1], [1, 1])) if mapped else None
    chunked = chunk > 1
    desc = TensorDescType(
        [lanes, chunk] if chunked else [lanes], element, ScatterTensorDescAttr(chunk_size=chunk), sg_map
    )
    whole = [chunk, lanes] if chunked else [lanes]
    shape = list(desc.fragment_shape() or ()) if mapped and draw(st.booleans()) else whole
    own = draw(st.booleans()) if mapped else False
    entries = 1 if own else lanes
    block = Block(
        arg_types=[
            ADDRESS,
            VectorType(IndexType(), [entries]),
            VectorType(i1, [entries]),
            VectorType(element, desc.get_shape()),
        ]
    )
    address, offsets, mask, operand = block.args
    hints = draw(st.sampled_from([CacheHints(), CacheHints(CacheHint.CACHED, None, CacheHint.STREAMING)]))
    create = CreateDescOp(address, offsets, desc)
    update = UpdateOffsetOp(create, offsets)
    load = LoadOp(update, mask, VectorType(element, shape), transpose=chunked, hints=hints)
    block.add_ops(
        [
            create,
            update,
            PrefetchOp(update, hints),
            load,
            AtomicRMWOp(kind, update, mask, operand),
            StoreOp(load, update, mask, transpose=chunked, hints=hints),
            ReturnOp(),
        ]
    )
    return ModuleOp([FuncOp("f", (block.arg_types, []), Region(block))])


@given(modules())
def test_random_modules_survive_both_forms(module):
    verify(module)
    assert parse(str(module)).is_structurally_equivalent(module)
    assert parse(generic(module)).is_structurally_equivalent(module)
    assert str(parse(generic(module))) == str(module)


@pytest.mark.parametrize("kind", AtomicKind)
def test_every_kind_has_its_keyword_and_its_elements(kind):
    elements = [element for element in (f32, i32) if kind.fits(element)]
    expected = {"f": [f32], "s": [i32], "u": [i32], "i": [i32]}[kind.keyword[-1]] if kind.keyword != "assign" else None
    assert elements == (expected or [f32, i32])
    desc = TensorDescType([16], elements[0], ScatterTensorDescAttr())
    op = AtomicRMWOp(
        kind,
        create_ssa_value(desc),
        create_ssa_value(VectorType(i1, [16])),
        create_ssa_value(VectorType(elements[0], [16])),
    )
    op.verify()
    assert op.atomic_kind is kind
    assert f"xegpu.atomic_rmw {kind.keyword} " in str(op)


def test_properties_of_accesses():
    mask = create_ssa_value(VectorType(i1, [16]))
    load = LoadOp(
        create_ssa_value(CHUNKS),
        mask,
        VectorType(f32, [4, 16]),
        transpose=True,
        hints=CacheHints(l2=CacheHint.UNCACHED),
    )
    load.verify()
    assert load.is_transposed
    assert load.hints == CacheHints(None, CacheHint.UNCACHED, None)
    ignored = StoreOp(create_ssa_value(VectorType(f32, [16])), create_ssa_value(POINTS), mask, transpose=True)
    ignored.verify()
    assert not ignored.is_transposed


def test_barriers_and_fences():
    number = create_ssa_value(i8)
    init = InitNbarrierOp(number, number)
    ops = [
        AllocNbarrierOp(3),
        init,
        NbarrierArriveOp(init),
        NbarrierWaitOp(init),
        FenceOp(MemorySpace.SLM, FenceScope.GPU),
        CompileHintOp(),
    ]
    for op in ops:
        op.verify()
    assert str(ops[-2]) == "xegpu.fence memory_kind = slm, fence_scope = gpu"
    with pytest.raises(VerifyException, match="at least 0, got -2"):
        AllocNbarrierOp(-2).verify()


LISTED = """func.func @f(%p: ui64) {
  %0 = xegpu.create_tdesc %p[0, 8] : ui64 -> !xegpu.tensor_desc<2xf32, #xegpu.scatter_tdesc_attr<>>
  func.return
}"""


def test_what_a_list_of_offsets_implies_stands_where_the_list_does():
    ops = [op for op in parse(LISTED).walk() if isinstance(op, ConstantOp | CreateDescOp)]
    assert [type(op) for op in ops] == [ConstantOp, CreateDescOp]
    assert location_of(ops[0]) == location_of(ops[1]) == SourceLocation("test", 2, 8)


def test_a_list_of_offsets_needs_a_parser_that_places_ops():
    with pytest.raises(ParseError, match="as well cannot be read here"):
        Parser(context(), LISTED).parse_module()


def test_endless_lists_of_offsets_are_refused_before_ops_are_made():
    with pytest.raises(CompileError, match="expected at most 4096 offsets, got 4097"):
        parse(LISTED.replace("[0, 8]", f"[{', '.join(['0'] * 4097)}]"))
