"""The memory that a reader takes for a text is in proportion to it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.zebin.support import SAMPLES, container, findings
from zebin import read
from zebin.yaml import Mapping, Scalar, Sequence, source
from zebin.ze_info import ZeInfo, budget, write_ze_info
from zebin.ze_info.budget import MemoryBudget

KERNEL = "version: '1.61'\nkernels:\n  - name: k\n    execution_env:\n      grf_count: 128\n      simd_size: 16\n"
SURFACES = "    binding_table_indices:\n" + "      - bti_value: 3\n        arg_index: 7\n" * 20_000
UNKNOWN = "".join(f"    u{n}: 1\n" for n in range(20_000))


LONG_TEXTS = {
    "key": f"{'a' * 5_000_000}: 1\n",
    "unknown key": KERNEL + f"    {'a' * 1000}: 1\n" + "    b: 1\n" * 500_000,
    "word": KERNEL + f"    x: {'a' * 5_000_000}\n",
    "quoted": KERNEL + f"    x: '{'a' * 5_000_000}'\n",
    "open quote": KERNEL + "    x: '" + "a\n" * 2_500_000,
    "escapes": KERNEL + '    x: "' + "\\U0001F600" * 500_000 + '"\n',
    "brackets": KERNEL + "    x: " + "[" * 5_000_000 + "\n",
    "dashes": KERNEL + "    x:\n      " + "- " * 2_500_000 + "\n",
    "anchors": KERNEL + "    x: " + "&a " * 1_700_000 + "\n",
    "directives": "".join(f"%TAG !a{n}! x\n" for n in range(300_000)) + "---\na: 1\n",
}
READ_IN_BOUNDS = """
import resource, sys
import yaml, zebin
data = open(sys.argv[1], "rb").read()
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 4 * len(data) + 100_000_000,) * 2)
zebin.read(data, lenient=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("text", LONG_TEXTS.values(), ids=LONG_TEXTS)
def test_memory_of_the_whole_process(text: str, tmp_path: Path) -> None:
    """Limited as the documentation promises; what libyaml allocates counts here, and no other test sees it."""
    path = tmp_path / "long.zebin"
    path.write_bytes(container(text))
    done = subprocess.run([sys.executable, "-c", READ_IN_BOUNDS, path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


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


def test_long_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "TEXT_LIMIT", len(KERNEL))
    assert "yaml.limit" not in {finding.code for finding in findings(container(KERNEL))}
    (found,) = findings(container(KERNEL + "#"))
    assert found.code == "yaml.limit"


def test_long_texts_with_wide_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    text = KERNEL + "    debug: '{}'\n"
    monkeypatch.setattr(source, "WIDE_LIMIT", 10)
    assert "yaml.limit" in {finding.code for finding in findings(container(text.format("\U0001f600")))}
    assert "yaml.limit" not in {finding.code for finding in findings(container(text.format("é")))}
