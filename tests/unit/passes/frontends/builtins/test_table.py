"""Symbols of builtins: mangling, demangling, and the rows that they name."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from passes.frontends.builtins import (
    BUILTINS,
    Named,
    Pointer,
    Scalar,
    Type,
    Vector,
    demangle,
    mangle,
    resolve,
)

F, INT, U = Scalar("f"), Scalar("i"), Scalar("j")

SYMBOLS: list[tuple[str, str, tuple[Type, ...]]] = [
    ("_Z3expf", "exp", (F,)),
    ("_Z4fmaxDv4_fS_", "fmax", (Vector(4, F), Vector(4, F))),
    ("_Z3maxjj", "max", (U, U)),
    ("_Z10atomic_incPU3AS1Vi", "atomic_inc", (Pointer(1, INT, "V"),)),
    ("_Z6vload4mPU3AS1KDh", "vload4", (Scalar("m"), Pointer(1, Scalar("Dh"), "K"))),
    ("_Z5fractDv2_fPU3AS3S_", "fract", (Vector(2, F), Pointer(3, Vector(2, F)))),
    ("_Z22__spirv_ControlBarrieriii", "__spirv_ControlBarrier", (INT, INT, INT)),
    ("_Z27__spirv_BuiltInSubgroupSizev", "__spirv_BuiltInSubgroupSize", ()),
    ("_Z16get_image_height14ocl_image2d_ro", "get_image_height", (Named("ocl_image2d_ro"),)),
]
"""Symbols as clang writes them."""


@pytest.mark.parametrize(("symbol", "name", "arguments"), SYMBOLS)
def test_symbols_are_those_of_clang(symbol: str, name: str, arguments: tuple[Type, ...]) -> None:
    assert mangle(name, arguments) == symbol
    assert demangle(symbol) == (name, arguments)


SCALARS = st.sampled_from("bcahstijlmfd").map(Scalar) | st.just(Scalar("Dh"))
TYPES: st.SearchStrategy[Type] = st.recursive(
    SCALARS | st.builds(Vector, st.sampled_from([2, 3, 4, 8, 16]), SCALARS) | st.just(Named("ocl_event")),
    lambda inner: st.builds(Pointer, st.integers(0, 4), inner, st.sampled_from(["", "V", "K", "VK"])),
    max_leaves=3,
)


@given(st.lists(TYPES, max_size=6).map(tuple))
def test_demangling_reverses_mangling(arguments: tuple[Type, ...]) -> None:
    assert demangle(mangle("f", arguments)) == ("f", arguments)


@given(st.text("_ZSPDKVUA0123456789fijvz", max_size=30))
def test_any_text_can_be_asked_for(text: str) -> None:
    for symbol in (text, f"_Z{text}", f"_Z1f{text}"):
        found = resolve(symbol)
        assert found is None or found.builtin.name in BUILTINS


@pytest.mark.parametrize(
    "symbol", ["_Z", "_Z3exp", "_Z3expS_", "_Z9999999x", "_Z1f" + "P" * 100 + "i", "_Z3expff", "main"]
)
def test_what_is_no_builtin(symbol: str) -> None:
    assert resolve(symbol) is None


def test_counts_results_and_widths_are_not_part_of_a_row() -> None:
    for symbol, name, result in [
        ("_Z6vload4mPU3AS1Kf", "vload", None),
        ("_Z8atom_addPU3AS1Vll", "atomic_add", None),
        ("_Z15vstore_half_rtzfmPU3AS1Dh", "vstore_half", None),
        ("_Z36__spirv_SubgroupBlockReadINTEL_Rint4PU3AS1Ki", "__spirv_SubgroupBlockReadINTEL", "int4"),
        ("_Z25__spirv_RoundFToTF32INTELf", "__spirv_RoundFToTF32INTEL", None),
    ]:
        callee = resolve(symbol)
        assert callee is not None
        assert (callee.builtin.name, callee.result) == (name, result)


def test_rows_say_what_they_mean() -> None:
    assert all(row.meaning and row.arity[0] <= row.arity[1] for row in BUILTINS.values())
