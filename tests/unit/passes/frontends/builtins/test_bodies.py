"""Bodies of builtins for arguments of every kind."""

from __future__ import annotations

from contextlib import suppress
from itertools import product

import pytest

from passes.frontends.builtins import BUILTINS, Lowering, Pointer, Scalar, Vector, mangle
from passes.frontends.builtins.bodies import BodyError, define

KINDS = (
    Scalar("m"),
    Scalar("f"),
    Scalar("Dh"),
    Vector(4, Scalar("f")),
    Vector(3, Scalar("h")),
    Pointer(1, Scalar("f")),
)
NAMES = [name for name, row in BUILTINS.items() if row.lowering is not Lowering.DEVICE]


@pytest.mark.parametrize("name", NAMES[::8])
def test_types_that_a_function_does_not_have_are_refused(name: str) -> None:
    """Modules may declare anything: a body is written, or there is an error that says why not."""
    for arguments in product(KINDS, repeat=min(BUILTINS[name].arity[0], 3)):
        symbol = mangle(name, arguments)
        types = ", ".join(str(kind.llvm) for kind in arguments)
        with suppress(BodyError):
            define(f"declare spir_func float @{symbol}({types})\n")


def test_a_mantissa_of_integers() -> None:
    with pytest.raises(BodyError, match="frexp does not exist for arguments of these types"):
        define("declare spir_func i64 @_Z5frexplPU3AS4i(i64, ptr addrspace(4))\n")
