"""Compiled modules on disk: found again under the same inputs only, by any process, whatever happens to the files."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from passes.frontends.opencl import find_compiler
from runtime.disk_cache import binaries, default_cache
from runtime.mux import compile_source, compile_spirv
from runtime.mux.compilation.binary_cache import cached
from tests.paths import ROOT
from xegpu.diagnostics import CompileError, Diagnostic, handling, warn

MODULE = (ROOT / "tests" / "corpus" / "spirv" / "vector_add.ocloc.spv").read_bytes()
KERNEL = """
define spir_kernel void @k(ptr addrspace(1) %p) {
  store i32 NUMBER, ptr addrspace(1) %p
  ret void
}
"""


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache in a directory of the test's own."""
    monkeypatch.setenv("XEGPU_CACHE_DIR", str(tmp_path / "kept"))
    default_cache.cache_clear()
    yield tmp_path / "kept"
    default_cache.cache_clear()


def forbid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes every compilation fail from now on."""

    def fail(*_: object) -> bytes:
        raise AssertionError("compiled again")

    for function in ("compile_kernels", "compile_module"):
        monkeypatch.setattr(f"runtime.mux.compilation.compiler.{function}", fail)


def test_spirv_is_found_again(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    binary = compile_spirv(MODULE, "pvc")
    other = compile_spirv(MODULE, "arc")
    forbid(monkeypatch)
    assert compile_spirv(MODULE, "pvc") == binary
    assert compile_spirv(MODULE, "arc") == other != binary
    with pytest.raises(AssertionError, match="compiled again"):
        compile_spirv(MODULE, "pvc", "other.spv")


def test_llvm_is_found_again(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [KERNEL.replace("NUMBER", number) for number in "12"]
    one, two = (compile_source(text, "pvc", "k.ll") for text in texts)
    assert one != two
    forbid(monkeypatch)
    assert [compile_source(text, "pvc", "k.ll") for text in texts] == [one, two]


def test_mlir_is_found_again(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "gpu.module @m { gpu.func @k() kernel { gpu.return } }"
    one, two = (compile_source(text, target) for target in ("pvc", "arc"))
    forbid(monkeypatch)
    assert [compile_source(text, target) for target in ("pvc", "arc")] == [one, two]
    with pytest.raises(AssertionError, match="compiled again"):
        compile_source(text + "\n", "pvc")


@pytest.mark.skipif(find_compiler() is None, reason="OpenCL C needs a clang")
def test_opencl_depends_on_options_and_files(directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "n.h").write_text("#define N 1\n")
    text = "kernel void k(global int *p) { *p = N; }"
    including = f'#inc\\\nlude "{tmp_path}/n.h"\n{text}'
    one, two = (compile_source(text, "pvc", "k.cl", options=[f"-DN={number}"]) for number in (1, 2))
    compile_source(including, "pvc", "k.cl")
    assert one != two
    forbid(monkeypatch)
    assert compile_source(text, "pvc", "k.cl", options=["-DN=2"]) == two
    with pytest.raises(AssertionError, match="compiled again"):
        compile_source(including, "pvc", "k.cl")


def test_a_failure_is_not_kept(directory: Path) -> None:
    for _ in range(2):
        with pytest.raises(CompileError, match="no LLVM IR"):
            compile_source("define nothing", "pvc", "k.ll")
    assert not directory.exists()


def test_warnings_are_heard_each_time(directory: Path) -> None:
    def compile() -> bytes:
        warn(None, "mind the gap")
        return b"binary"

    for _ in range(2):
        heard: list[Diagnostic] = []
        with handling(heard.append):
            assert cached(compile, "source") == b"binary"
        assert [diagnostic.message for diagnostic in heard] == ["mind the gap"]


def test_neighbouring_inputs_have_keys_of_their_own(directory: Path) -> None:
    assert cached(lambda: b"1", "ab", "c") == b"1"
    assert cached(lambda: b"2", "a", "bc") == b"2"
    assert cached(lambda: b"3", "abc") == b"3"
    assert cached(lambda: b"4", "ab", "c") == b"1"


def test_another_compiler_compiles_again(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cached(lambda: b"1", "source") == b"1"
    monkeypatch.setattr(binaries, "_compiler", lambda: b"another")
    assert cached(lambda: b"2", "source") == b"2"


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _garble(path: Path) -> None:
    path.write_bytes(os.urandom(path.stat().st_size))


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-2] ^= 1
    path.write_bytes(data)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _replace(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [_truncate, _garble, _flip, _empty, _replace])
def test_damaged_entries_are_compiled_again(directory: Path, damage: Callable[[Path], None]) -> None:
    assert cached(lambda: b"binary", "source") == b"binary"
    (entry,) = directory.iterdir()
    damage(entry)
    assert cached(lambda: b"again", "source") == b"again"


def test_a_directory_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    for path in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/nowhere")):
        monkeypatch.setenv("XEGPU_CACHE_DIR", str(path))
        default_cache.cache_clear()
        assert cached(lambda: b"binary", "source") == b"binary"
    default_cache.cache_clear()


def _binary(number: int) -> bytes:
    return bytes([number]) * 100_000


def _compile_many(directory: str, number: int) -> list[bytes]:
    os.environ["XEGPU_CACHE_DIR"] = directory
    default_cache.cache_clear()
    return [cached(partial(_binary, turn % 4), f"source {turn % 4}") for turn in range(60)]


def test_processes_share_a_directory(directory: Path) -> None:
    """Writers of the same entries at the same time leave each entry whole."""
    with multiprocessing.get_context("fork").Pool(4) as pool:
        results = pool.starmap(_compile_many, [(str(directory), number) for number in range(4)])
    assert all(result == [_binary(turn % 4) for turn in range(60)] for result in results)
    assert len(list(directory.iterdir())) == 4


def test_a_binary_on_disk_needs_no_compiler(directory: Path) -> None:
    """Importing the compiler takes longer than all else."""
    compile_spirv(MODULE, "pvc")
    path = ROOT / "tests" / "corpus" / "spirv" / "vector_add.ocloc.spv"
    code = f"""import sys
from runtime.mux import compile_spirv
assert compile_spirv(open({str(path)!r}, "rb").read(), "pvc").startswith(b"\\x7fELF")
sys.exit("passes.pipelines" in sys.modules or "xegpu.dialects.xe" in sys.modules)"""
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
