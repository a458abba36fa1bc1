"""`xegpu-run` of a kernel that it has compiled before: it is compiled again only if something has changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from runtime.disk_cache import default_cache
from tools.run import program
from tools.xegpu_run import main

KERNEL = """gpu.module @m {
  gpu.func @k(%p: memref<1xi32>) kernel {
    %c0 = arith.constant 0 : index
    %v = arith.constant 7 : i32
    memref.store %v, %p[%c0] : memref<1xi32>
    gpu.return
  }
}
"""
HOST = "func.func @main() { return }\n"
LAUNCH = ("--grid", "1", "--arg", "zeros:1xi32", "--expect", "p=fill:1xi32:7", "-q")


@pytest.fixture
def compilations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A cache of the test's own, and the names of the files that were read by the compiler."""
    monkeypatch.setenv("XEGPU_CACHE_DIR", str(tmp_path / "kept"))
    default_cache.cache_clear()
    read, names = program.read_program, list[str]()

    def counted(
        data: bytes,
        name: str,
        target: program.Target,
        pipeline: str | None,
        level: str | None = None,
        lower_with: str | None = None,
    ) -> program.ParsedProgram:
        names.append(name)
        return read(data, name, target, pipeline, level, lower_with)

    monkeypatch.setattr(program, "read_program", counted)
    yield names
    default_cache.cache_clear()


def write(directory: Path, text: str) -> str:
    path = directory / "kernel.mlir"
    path.write_text(text)
    return str(path)


def test_a_kernel_is_compiled_once(compilations: list[str], tmp_path: Path) -> None:
    path = write(tmp_path, KERNEL)
    for _ in range(3):
        assert main([path, *LAUNCH]) == 0
    assert len(compilations) == 1


def test_what_is_compiled_depends_on_the_text_and_the_options(compilations: list[str], tmp_path: Path) -> None:
    path = write(tmp_path, KERNEL)
    for number, options in enumerate(([], ["--target", "arc"], ["--op-level", "lane"], ["-k", "k"]), 1):
        assert main([path, *LAUNCH, *options]) == 0
        assert len(compilations) == number
    write(tmp_path, KERNEL.replace("7 : i32", "8 : i32"))
    assert main([path, *LAUNCH]) == 1


def test_a_program_is_no_kernel(compilations: list[str], tmp_path: Path) -> None:
    """The kernel of a program may be chosen; without a choice, the program runs, however often the kernel has run."""
    path = write(tmp_path, KERNEL + HOST)
    for _ in range(2):
        assert main([path, "-k", "k", *LAUNCH]) == 0
        assert main([path, "-q"]) == 0
    assert len(compilations) == 3


PACKED = """gpu.module @m {
  gpu.func @k(%p: memref<16xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %p[0] : memref<16xf32> -> !xegpu.tensor_desc<16xf32>
    %v = xegpu.load_nd %t <{packed}> : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    xegpu.store_nd %v, %t : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }
}
"""


@pytest.mark.parametrize(
    ("text", "status", "message"),
    [
        (KERNEL.replace("memref<1xi32>", "memref<2xi32>", 1), 1, "kernel.mlir:5:"),
        (PACKED, 0, "warning: 'xegpu.load_nd' op Invalid Packed Attr."),
    ],
)
def test_errors_and_warnings_are_told_each_time(
    compilations: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    text: str,
    status: int,
    message: str,
) -> None:
    path = write(tmp_path, text)
    said = []
    for _ in range(2):
        assert main([path, "--grid", "1", "--arg", "zeros:16xf32", "-q"]) == status
        said.append(capsys.readouterr().err)
    assert said[0] == said[1]
    assert message in said[0]
    assert len(compilations) == 2
