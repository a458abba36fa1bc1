"""Machine code on disk: the same module is compiled once for each CPU."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtime.disk_cache import ObjectCache
from runtime.llvm import compilation
from runtime.llvm.compilation import machine_code
from runtime.llvm.cpu import Cpu, this_cpu
from tests.unit.runtime.simulator.jit.hosts import HOSTS

IR = "define i32 @entry(ptr %worker) {\n  ret i32 7\n}\n"


def test_a_module_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = ObjectCache(tmp_path / "jit", 1 << 20)
    machine_code(IR, ["entry"], this_cpu(), kept)
    monkeypatch.setattr(compilation, "object_code", _refuse)
    assert machine_code(IR, ["entry"], this_cpu(), kept).addresses["entry"]
    with pytest.raises(AssertionError, match="compiled"):
        machine_code(IR.replace("7", "8"), ["entry"], this_cpu(), kept)
    for cpu in HOSTS.values():
        if cpu.name != this_cpu().name:
            with pytest.raises(AssertionError, match="compiled"):
                machine_code(IR, ["entry"], cpu, kept)


def _refuse(ir: str, cpu: Cpu, level: int) -> bytes:
    raise AssertionError("compiled")
