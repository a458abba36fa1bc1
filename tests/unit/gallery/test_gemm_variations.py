"""Products by work-groups in shapes, sharings and with steps behind them that no page of the gallery has."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.unit.gallery.gemm_epilogues import STEPS
from tests.unit.gallery.gemm_texts import WorkGroupGemm
from tests.unit.gallery.support import assert_within, launch
from tests.unit.passes.kernels.harness import ENGINES

CASES = [
    WorkGroupGemm(64, 128, 32, layout=(4, 4), data=(16, 32), steps=("column sum",)),
    WorkGroupGemm(96, 80, 48, layout=(3, 5), data=(32, 16), prefetched=True),
    WorkGroupGemm(45, 77, 50, "bf16", depth=2, data=(8, 16), steps=("row", "relu")),
    WorkGroupGemm(64, 96, 64, "i8", rounds=(2, 1), steps=("column", "halves")),
    WorkGroupGemm(32, 64, 24, "tf32", layout=(2, 4), data=(8, 16), a_rows=16),
    WorkGroupGemm(24, 64, 32, layout=(4, 1), data=(6, 64), transposed="b", steps=("row maximum",)),
    WorkGroupGemm(40, 40, 40, "bf16", transposed="ab", dynamic=True, steps=("turned", "row")),
    WorkGroupGemm(8, 16, 16, layout=(1, 1), data=(8, 16), steps=("leaky", "branch")),
    WorkGroupGemm(15, 60, 32, "i8", layout=(1, 2), data=(8, 16), transposed="a", steps=("relaid", "column sum")),
    WorkGroupGemm(1, 1, 1, layout=(2, 1), data=(8, 16), steps=("row maximum",)),
]
ON_ARC = [
    WorkGroupGemm(32, 24, 32, layout=(4, 1), data=(8, 8), steps=("row", "row maximum")),
    WorkGroupGemm(13, 21, 40, "i8", layout=(1, 2), data=(8, 8), transposed="b", steps=("relaid",)),
]


def compare(gemm: WorkGroupGemm, target: str, engines: Sequence[str] = ENGINES[-1:]) -> None:
    arguments, expected = gemm.problem()
    result = launch(gemm.text(), target, gemm.grid, arguments, engines)[-1]
    assert_within(result, expected.value, expected.bound)


@pytest.mark.sampled(every=18)
@pytest.mark.parametrize("gemm", CASES, ids=str)
def test_product(gemm: WorkGroupGemm) -> None:
    compare(gemm, "pvc", ENGINES)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("gemm", ON_ARC, ids=str)
def test_product_on_arc(gemm: WorkGroupGemm) -> None:
    compare(gemm, "arc")


def random_gemm(seed: int) -> WorkGroupGemm:
    """Any product whose tiles the target's matrix engine takes."""
    choose = random.Random(seed)
    layout, data = choose.choice([(1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (3, 2)]), choose.choice([8, 16, 12, 4])
    rounds = choose.choice([(1, 1), (1, 1), (2, 1), (1, 2)])
    gemm = WorkGroupGemm(
        8 * choose.randint(1, 6) - choose.choice([0, 0, 3]),
        8 * choose.randint(1, 7) - choose.choice([0, 0, 5]),
        8 * choose.randint(1, 9) - choose.choice([0, 0, 1]),
        choose.choice(["f16", "bf16", "tf32", "i8"]),
        layout,
        (data, choose.choice([16, 32])),
        rounds,
        choose.choice([1, 1, 2]),
        choose.choice(["", "", "a", "b", "ab"]),
        choose.random() < 0.3,
        choose.random() < 0.3,
    )
    steps = [name for name in STEPS if name != "relaid" or _divides(gemm)]
    return replace(gemm, steps=tuple(choose.choices(steps, k=choose.randint(0, 3))))


def _divides(gemm: WorkGroupGemm) -> bool:
    count = gemm.layout[0] * gemm.layout[1]
    return gemm.shape.rows % count == 0 or gemm.shape.columns % count == 0


@pytest.mark.sampled(every=18)
@pytest.mark.parametrize("seed", range(4))
def test_random_product(seed: int) -> None:
    compare(random_gemm(seed), "pvc")
