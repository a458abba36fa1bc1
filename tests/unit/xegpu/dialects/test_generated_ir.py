"""Random modules of all dialects are valid, survive both forms, and stay valid when they are simplified."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination

from tests.amounts import examples
from tests.unit.xegpu.dialects.generators import ATOMICS, OWN_XEGPU, TILES, UPSTREAM, XEGPU, modules
from tests.unit.xegpu.dialects.support import context, custom, generic, parse
from xegpu.mlir import verify

DIALECTS = {
    "upstream": UPSTREAM,
    "xegpu": (*XEGPU, *ATOMICS, *OWN_XEGPU),
    "xetile": TILES,
    "all": (*UPSTREAM, *XEGPU, *ATOMICS, *OWN_XEGPU, *TILES),
}


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("productions", DIALECTS.values(), ids=DIALECTS)
@settings(max_examples=examples(50), derandomize=True)
@given(data=st.data())
def test_both_forms_mean_the_module(productions, data):
    module = data.draw(modules(productions))
    verify(module)
    custom_form, generic_form = custom(module), generic(module)
    from_custom, from_generic = parse(custom_form), parse(generic_form)
    assert from_custom.is_structurally_equivalent(module)
    assert from_generic.is_structurally_equivalent(module)
    assert custom(from_custom) == custom_form
    assert generic(from_generic) == generic_form
    assert custom(from_generic) == custom_form


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("productions", DIALECTS.values(), ids=DIALECTS)
@settings(max_examples=examples(50), derandomize=True)
@given(data=st.data())
def test_simplified_modules_are_valid(productions, data):
    module = data.draw(modules(productions))
    CanonicalizePass().apply(context(), module)
    verify(module)
    CommonSubexpressionElimination().apply(context(), module)
    verify(module)
    assert parse(custom(module)).is_structurally_equivalent(module)
