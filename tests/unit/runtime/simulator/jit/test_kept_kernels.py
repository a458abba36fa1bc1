"""Compiled kernels on disk: a later process loads them without writing their IR, and runs them in the same memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from runtime.disk_cache import default_cache
from runtime.simulator.jit.kernel import kernel_cache
from tests.unit.runtime.simulator.jit.launches import Bench

PRODUCT = """
    (W) mul (1|M0) r34.0<1>:ud r0.1<0;1,0>:ud 64:ud
    (W) add (1|M0) r35.0<1>:uq r1.0<0;1,0>:uq r34.0<0;1,0>:ud
    (W) mov (16|M0) r60.0<1>:ud 0x3f803f80:ud
    (W) mov (16|M0) r70.0<1>:ud 0x40004000:ud
    (W) dpas.8x1 (16|M0) r40.0:f null:f r70.0:bf r60.0:bf
    barrier
    (W) store.ugm.d32x16t.a64 (1|M0) flat[r35] r40
    eot
"""
"""A kernel whose memory has prepared operands of matrix products, and registers that are saved at a barrier."""


@pytest.fixture
def forget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """A cache on disk, and a function that makes the process one that has compiled nothing."""
    monkeypatch.setenv("XEGPU_CACHE_DIR", str(tmp_path / "kept"))
    default_cache.cache_clear()
    monkeypatch.setattr(kernel_cache, "_cache", OrderedDict())
    yield kernel_cache._cache.clear
    default_cache.cache_clear()


def refuse(*_: object) -> None:
    raise AssertionError("compiled again")


def bench() -> Bench:
    return Bench(PRODUCT, [64 * 4], barrier_count=1)


def test_a_kernel_is_found_with_the_layout_of_its_memory(
    forget: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    results = bench().results((4, 1, 1))
    forget()
    monkeypatch.setattr(kernel_cache, "kernel_code", refuse)
    assert bench().results((4, 1, 1)) == results != [bytes(64 * 4)]


def test_what_the_code_depends_on_is_part_of_its_name(
    forget: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    bench().run("jit", (1, 1, 1))
    monkeypatch.setattr(kernel_cache, "kernel_code", refuse)
    other = bench()
    other.description = replace(other.description, facts=replace(other.description.facts, spill_size=64))
    for changed in (other, Bench(PRODUCT.replace("0x3f803f80", "0x3f803f81"), [64], barrier_count=1)):
        with pytest.raises(AssertionError, match="compiled again"):
            changed.run("jit", (1, 1, 1))
    forget()
    monkeypatch.setattr(kernel_cache, "files_identity", lambda *_: b"another engine")
    with pytest.raises(AssertionError, match="compiled again"):
        bench().run("jit", (1, 1, 1))


def test_damaged_code_is_compiled_again(forget: Callable[[], None], tmp_path: Path) -> None:
    results = bench().results((2, 1, 1))
    (entry,) = (tmp_path / "kept").iterdir()
    entry.write_bytes(entry.read_bytes()[:-1])
    forget()
    assert bench().results((2, 1, 1)) == results


LAUNCH = """
import sys
from xegpu.isa.model import KernelFacts
from runtime.simulator import Dispatch, KernelDescription, Memory, Simulator
from runtime.simulator.jit.kernel import kernel_cache
from xegpu.isa import assemble
from xegpu.targets import PVC
compiled = []
write = kernel_cache.kernel_code
kernel_cache.kernel_code = lambda *arguments: compiled.append(1) or write(*arguments)
simulator = Simulator(PVC, Memory())
code = assemble("mov (16|M0) r9:ud r10:ud\\n(W) eot (1|M0)")
executable = simulator.load(KernelDescription("k", code, PVC, KernelFacts(1, grf_count=128)))
simulator.run(executable, Dispatch((2, 1, 1), (1, 1, 1)))
print(len(compiled))
"""


def test_a_second_process_writes_no_ir(tmp_path: Path) -> None:
    counts = []
    for seed in ("1", "2"):
        environment = {**os.environ, "XEGPU_CACHE_DIR": str(tmp_path), "PYTHONHASHSEED": seed}
        result = subprocess.run(
            [sys.executable, "-c", LAUNCH], env=environment, capture_output=True, text=True, timeout=120, check=True
        )
        counts.append(int(result.stdout))
    assert counts == [1, 0]
