"""Python in other processes runs no file of the working directory."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from passes.frontends.opencl import compilers
from runtime.driver.library.build import compiler
from tests import structure
from tests.paths import EXAMPLES
from tools.bounded import BoundedProcess
from tools.run.file_check import check_output
from xegpu import python_children


@pytest.fixture
def traps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with modules that leave a trace when they are imported; returns the trace."""
    trace = tmp_path / "trace"
    for name in ("multiprocessing", "filecheck", "ziglang", "encodings", "struct", "site"):
        (tmp_path / f"{name}.py").write_text(f"open({str(trace)!r}, 'a').write(__name__)\nraise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    return trace


def prepared() -> Callable[[int], int]:
    return doubled


def doubled(number: int) -> int:
    return 2 * number


def test_processes_that_answer(traps: Path) -> None:
    process = BoundedProcess(prepared)
    try:
        assert process.ask(21, timeout=60) == 42
    finally:
        process.close()
    assert not traps.exists()


def test_filecheck(traps: Path) -> None:
    Path("k.mlir").write_text("// CHECK: 3\n")
    assert check_output("k.mlir", Path("k.mlir").read_text(), "3\n", None)
    assert not check_output("k.mlir", Path("k.mlir").read_text(), "4\n", None)
    assert not traps.exists()


@pytest.mark.filterwarnings("default")  # of Dask
def test_workers(traps: Path) -> None:
    pytest.importorskip("distributed")
    from runtime.cluster import Workers

    with Workers(count=1) as workers:
        assert list(workers.map(os.getppid, [])) == []
        assert workers.count == 1
    assert not traps.exists()
    assert "PYTHONSAFEPATH" not in os.environ


def test_compilers_of_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilers, "find_spec", lambda _: object())
    monkeypatch.setattr(compilers, "_version", lambda *_: 17)
    found = compilers.packaged_compiler.__wrapped__()
    assert found is not None
    assert found.command[:4] == (sys.executable, "-P", "-m", "ziglang")
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: object())
    assert compiler({}) == [sys.executable, "-P", "-m", "ziglang", "cc"]


def test_the_variable_is_what_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    first, second = python_children.safe_path(), python_children.safe_path()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert os.environ["PYTHONSAFEPATH"] == "1"
    second.__exit__(None, None, None)
    assert "PYTHONSAFEPATH" not in os.environ
    monkeypatch.setenv("PYTHONSAFEPATH", "own")
    with python_children.safe_path():
        pass
    assert os.environ["PYTHONSAFEPATH"] == "own"


STARTS = re.compile(r"""sys\.executable\s*,|get_context\(|ProcessPoolExecutor\(|LocalCluster\(""")
ALLOWED = {"xegpu.python_children", "tools.bounded.process", "runtime.cluster.workers"}


def test_nothing_else_starts_python() -> None:
    found = {module for module, path in structure.sources().items() if STARTS.search(path.read_text())}
    isolated = {"zebin.demangling"}
    assert found <= ALLOWED | isolated | {"runtime.driver.library.build"}  # names the interpreter that it embeds
    assert all('[sys.executable, "-I", "-S"' in structure.sources()[module].read_text() for module in isolated)
    assert "module_command" in (EXAMPLES.parent / "runtime/driver/library/build.py").read_text()
