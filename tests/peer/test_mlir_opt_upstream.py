"""Tests that our additions to xDSL's dialects go through real mlir-opt and back."""

from __future__ import annotations

import pytest

from tests.paths import LIT
from tests.peer.mlir_opt import MODERN, check_exchange, needs

DIALECTS = LIT / "dialects"

OURS = ("arith", "index", "math", "memref", "spirv", "vector")
FILES = (
    "gpu/forms",
    "gpu/ops",
    *sorted(
        f"{dialect}/{path.stem}"
        for dialect in OURS
        for path in (DIALECTS / dialect).glob("*.mlir")
        if "invalid" not in path.stem
    ),
)

NEWER = ("arith/scaling",)
"""Files that LLVM 19 knows nothing of."""

UNREAD = {(23, "gpu/forms"), (23, "gpu/ops")}
"""Files whose generic form in a version we do not read: `gpu.func` has a property `kernel`, `gpu.barrier` a scope."""

REMOVED = ("vector.splat", "vector.extractelement", "vector.insertelement")
"""Operations that LLVM 22 and later versions do not have."""

_DROPPED = "%va, %vb, %vc {fastmath"
"""Flags of products, which LLVM 23 has and others drop."""

# Operations and forms, a line each, that one of the versions does not have, or writes differently in generic form.
OTHER = {
    19: (
        _DROPPED,
        "clusters in",
        "exact :",
        "math.clampf",
        "math.erfc",
        "math.is",
        "math.sincos",
        "memref.assume_alignment",
        "memref.atomic_rmw",
        "memref.distinct_objects",
        "vector.constant_mask",
        "vector.maskedload %m[%i, %j], %vm2",
        "vector.multi_reduction",
        "vector.shuffle",
        "vector.to_elements",
        "alignment = ",
        "arith.truncf %s to",
        "overflow<nsw,nuw> : vector<16xi32> to",
        "arith.trunci %w overflow",
    ),
    22: (*REMOVED, _DROPPED),
    23: REMOVED,
}


def known_to(version: int, name: str) -> str:
    """The text of a file without what that version does not know."""
    lines = (DIALECTS / f"{name}.mlir").read_text().splitlines()
    return "\n".join(line for line in lines if not any(op in line for op in OTHER[version]))


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(
    ("version", "name"),
    [
        pytest.param(version, name, marks=needs(version))
        for version in MODERN
        for name in FILES
        if (version, name) not in UNREAD
    ],
)
def test_exchange_with_modern_versions(version, name):
    check_exchange(version, known_to(version, name))


@pytest.mark.sampled(every=20)
@needs(19)
@pytest.mark.parametrize("name", [name for name in FILES if name not in NEWER])
def test_exchange_with_19(name):
    check_exchange(19, known_to(19, name))
