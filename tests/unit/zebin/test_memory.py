"""What a reader keeps of a text is in proportion to it."""

from __future__ import annotations

import pytest

from tests.unit.zebin.support import SAMPLES, container, findings
from zebin import read
from zebin.yaml import Mapping, Scalar, Sequence, source
from zebin.ze_info import ZeInfo, budget, write_ze_info
from zebin.ze_info.budget import MemoryBudget

KERNEL = "version: '1.61'\nkernels:\n  - name: k\n    execution_env:\n      grf_count: 128\n      simd_size: 16\n"
SURFACES = "    binding_table_indices:\n" + "      - bti_value: 3\n        arg_index: 7\n" * 20_000
UNKNOWN = "".join(f"    u{n}: 1\n" for n in range(20_000))


@pytest.fixture
def no_allowance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small texts get no more than their share."""
    monkeypatch.setattr(budget, "BASE_BYTES", 0)


@pytest.mark.usefixtures("no_allowance")
@pytest.mark.parametrize("dense", [SURFACES, UNKNOWN], ids=["records", "unknown keys"])
def test_text_that_would_take_many_times_its_size(dense: str) -> None:
    found = {finding.code: finding for finding in findings(container(KERNEL + dense))}
    assert "records take too much memory" in found["yaml.limit"].message


@pytest.mark.parametrize("dense", [SURFACES, UNKNOWN], ids=["records", "unknown keys"])
def test_small_texts_have_an_allowance(dense: str) -> None:
    assert "yaml.limit" not in {finding.code for finding in findings(container(KERNEL + dense))}


def test_many_kernels_of_a_compiler_need_no_allowance(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels of all samples, several times, as one file of many kernels would have them."""
    records = [read(path).ze_info for path in SAMPLES]
    kernels = [kernel for found in records * 5 if found is not None for kernel in found.kernels]
    information = [entry for found in records * 5 if found is not None for entry in found.kernels_misc_info]
    monkeypatch.setattr(budget, "BASE_BYTES", 0)
    text = write_ze_info(ZeInfo(version="1.61", kernels=kernels, kernels_misc_info=information))
    assert "yaml.limit" not in {finding.code for finding in findings(container(text))}


def test_equal_texts_are_one_object() -> None:
    shared = MemoryBudget(0)
    assert shared.share("float" + "*;8") is shared.share("float*" + ";8")
    left = shared.left
    shared.share("float*;8")
    assert shared.left == left
    long = "x" * 100
    assert shared.share(long) is long


def test_shared_objects_cost_nothing() -> None:
    few, many = MemoryBudget(0), MemoryBudget(0)
    few.spend(100, [], {})
    many.spend(100, [1, True, None, 256], {})
    assert few.left == many.left
    many.spend(100, [257, "text", 0.5, (1, 2, 3)], {})
    assert few.left - many.left > 100


def test_all_of_an_unknown_tree_counts() -> None:
    flat, deep = MemoryBudget(0), MemoryBudget(0)
    flat.spend(0, [], {"a": Scalar("x")})
    deep.spend(0, [], {"a": Sequence([Mapping({"b": Scalar("x")}), Scalar("y")])})
    assert deep.left < flat.left - 100


def test_long_texts_with_wide_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    text = KERNEL + "    debug: '{}'\n"
    monkeypatch.setattr(source, "WIDE_LIMIT", 10)
    assert "yaml.limit" in {finding.code for finding in findings(container(text.format("\U0001f600")))}
    assert "yaml.limit" not in {finding.code for finding in findings(container(text.format("é")))}
