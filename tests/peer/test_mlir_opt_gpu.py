"""Collective gpu ops and structured control flow go through real mlir-opt and back."""

from __future__ import annotations

import pytest

from tests.paths import LIT
from tests.peer.mlir_opt import MODERN, check_exchange, each, needs

DIALECTS = LIT / "dialects"


def text(name: str, without: tuple[str, ...] = ()) -> str:
    """The text of a file, less the lines of operations that a version does not have."""
    lines = (DIALECTS / f"{name}.mlir").read_text().splitlines()
    return "\n".join(line for line in lines if not any(op in line for op in without))


@needs(22)
def test_exchange_with_22() -> None:
    """LLVM 23 writes kernels and barriers with other properties in generic form."""
    check_exchange(22, text("gpu/collectives"))


@each(*MODERN)
@pytest.mark.parametrize("name", ["scf/forms", "scf/ops", "scf/unsigned"])
def test_exchange_with_modern_versions(version: int, name: str) -> None:
    check_exchange(version, text(name))


@needs(19)
@pytest.mark.parametrize(
    ("name", "without"),
    [
        # LLVM 19 has neither rotations, nor clusters of subgroups, nor vectors that are shuffled or reduced.
        ("gpu/collectives", ("gpu.rotate", "cluster(", "subgroup_reduce add %v", "gpu.shuffle xor %v1", "gpu.printf")),
        ("scf/forms", ()),
        ("scf/ops", ()),
    ],
)
def test_exchange_with_19(name: str, without: tuple[str, ...]) -> None:
    check_exchange(19, text(name, without))
