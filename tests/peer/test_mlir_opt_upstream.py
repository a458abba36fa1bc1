"""What we add to xDSL's dialects goes through real mlir-opt and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.peer.mlir_opt import check_exchange, needs

DIALECTS = Path(__file__).parents[1] / "lit" / "dialects"

FILES = ("arith/ops", "gpu/forms", "gpu/ops", "index/ops", "memref/ops", "spirv/attributes", "vector/ops")

# Operations that one of the versions does not have, or writes differently in generic form.
OTHER = {
    19: ("vector.to_elements", "vector.constant_mask", "vector.multi_reduction", "vector.shuffle", "clusters in"),
    22: ("vector.splat",),
}


def known_to(version: int, name: str) -> str:
    """The text of a file without what that version does not know."""
    lines = (DIALECTS / f"{name}.mlir").read_text().splitlines()
    return "\n".join(line for line in lines if not any(op in line for op in OTHER[version]))


@needs(22)
@pytest.mark.parametrize("name", FILES)
def test_exchange_with_22(name):
    check_exchange(22, known_to(22, name))


@needs(19)
@pytest.mark.parametrize("name", FILES)
def test_exchange_with_19(name):
    check_exchange(19, known_to(19, name))
