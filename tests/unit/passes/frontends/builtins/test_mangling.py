"""Symbols of functions tell their argument types, and the types tell the symbols."""

from __future__ import annotations

import pytest

from passes.frontends.builtins import Pointer, ScalableVector, Scalar, Type, Vector, demangle, mangle

INT, UNSIGNED, FLOAT, DOUBLE = Scalar("i"), Scalar("j"), Scalar("f"), Scalar("d")


@pytest.mark.parametrize(
    ("letters", "types", "llvm"),
    [
        ("Dv2_i", [Vector(2, INT)], ["<2 x i32>"]),
        ("Dv32_d", [Vector(32, DOUBLE)], ["<32 x double>"]),
        ("u5nxv1j", [ScalableVector(1, UNSIGNED)], ["<vscale x 1 x i32>"]),
        ("u5nxv2f", [ScalableVector(2, FLOAT)], ["<vscale x 2 x float>"]),
        ("u6nxv16d", [ScalableVector(16, DOUBLE)], ["<vscale x 16 x double>"]),
        (
            "u11nxv4PU3AS1j",
            [ScalableVector(4, Pointer(1, UNSIGNED))],
            ["<vscale x 4 x ptr addrspace(1)>"],
        ),
        ("Dv16_dPU3AS1d", [Vector(16, DOUBLE), Pointer(1, DOUBLE)], ["<16 x double>", "ptr addrspace(1)"]),
        ("u6nxv16dPU3AS1dl", [ScalableVector(16, DOUBLE), Pointer(1, DOUBLE), Scalar("l")], None),
        ("u5nxv1iS_", [ScalableVector(1, INT), ScalableVector(1, INT)], None),
    ],
)
def test_types_and_letters(letters: str, types: list[Type], llvm: list[str] | None) -> None:
    symbol = f"_Z5store{letters}"
    assert demangle(symbol) == ("store", tuple(types))
    assert mangle("store", tuple(types)) == symbol
    assert llvm is None or [type.llvm for type in types] == llvm


@pytest.mark.parametrize("letters", ["u4nxv1j", "u6nxv1j", "u5nxv1", "u3abc", "u9nxv1Dv2_i"])
def test_what_is_no_scalable_vector(letters: str) -> None:
    assert demangle(f"_Z1f{letters}") is None
