"""Ops of host programs go through real mlir-opt and back."""

from __future__ import annotations

import pytest

from tests.peer.mlir_opt import MODERN, check_exchange, each, needs
from tests.peer.test_mlir_opt_gpu import text


@needs(22)
@pytest.mark.parametrize("name", ["gpu/broadcast", "gpu/clusters"])
def test_exchange_with_22(name: str) -> None:
    check_exchange(22, text(name))


@each(*MODERN)
@pytest.mark.parametrize("name", ["func/ops", "gpu/binary"])
def test_exchange_with_modern_versions(version: int, name: str) -> None:
    check_exchange(version, text(name))


@needs(19)
@pytest.mark.parametrize(
    ("name", "without"),
    [
        # In LLVM 19 `no_inline` is an attribute like any other.
        ("func/ops", ("no_inline",)),
        ("gpu/binary", ()),
        ("gpu/clusters", ()),
    ],
)
def test_exchange_with_19(name: str, without: tuple[str, ...]) -> None:
    check_exchange(19, text(name, without))
