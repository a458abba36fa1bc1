"""Structured operations on tensors and buffers, through mlir-opt to numbers that numpy computes in 64 bits."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.peer.generations import FETCHED
from tools import xegpu_run

PROGRAMS = {version: f"{path}" for version, path in ((22, "mlir-opt-22"), (23, FETCHED / "programs" / "mlir-opt-23"))}
GENERATIONS = [
    pytest.param(path, marks=pytest.mark.skipif(shutil.which(path) is None, reason=f"no mlir-opt of LLVM {version}"))
    for version, path in PROGRAMS.items()
]
PAGE = Path(__file__).parents[2] / "docs" / "upstream.md"


def product(name: str, types: tuple[str, str, str], dims: str = "", attributes: str = "") -> str:
    a, b, c = (f"memref<{dims}{type}>" for type in types)
    return (
        f"func.func @f(%a: {a}, %b: {b}, %c: {c}) {{\n"
        f"linalg.{name} {attributes}ins(%a, %b : {a}, {b}) outs(%c : {c})\nreturn\n}}\n"
    )


TRANSPOSED = "indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(n,k)>, affine_map<(m,n,k)->(m,n)>] "
PRODUCTS = {
    "whole tiles": (product("matmul", ("32x32xf16", "32x64xf16", "32x64xf32")), False),
    "odd sizes": (product("matmul", ("17x33xf16", "33x35xf16", "17x35xf32")), False),
    "transposed": (product("matmul", ("16x32xf16", "64x32xf16", "16x64xf32"), "", TRANSPOSED), True),
    "single precision": (product("matmul", ("16x32xf32", "32x64xf32", "16x64xf32")), False),
    "batches": (product("batch_matmul", ("20x32xf16", "32x40xf16", "20x40xf32"), "2x"), False),
    "integers": (product("matmul", ("16x32xi8", "32x64xi8", "16x64xi32")), False),
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("program", GENERATIONS)
@pytest.mark.parametrize("name", PRODUCTS)
def test_products(name: str, program: str, tmp_path: Path) -> None:
    text, is_transposed = PRODUCTS[name]
    shapes = [(s.split("x")[:-1], s.split("x")[-1]) for s in re.findall(r"%[abc]: memref<([^>]*)>", text)]
    generator = np.random.default_rng(3)
    for (sizes, element), letter in zip(shapes, "abc", strict=True):
        shape = tuple(map(int, sizes))
        dtype = {"f16": np.float16, "f32": np.float32, "i8": np.int8, "i32": np.int32}[element]
        values = generator.integers(-9, 9, shape) if element[0] == "i" else generator.uniform(-1, 1, shape)
        np.save(tmp_path / f"{letter}.npy", values.astype(dtype))
    a, b, c = (np.load(tmp_path / f"{letter}.npy").astype(np.float64) for letter in "abc")
    np.save(tmp_path / "want.npy", (c + a @ (b.T if is_transposed else b)).astype(np.load(tmp_path / "c.npy").dtype))
    (tmp_path / "f.mlir").write_text(text)
    arguments = [word for letter in "abc" for word in ("--arg", str(tmp_path / f"{letter}.npy"))]
    expected = ["--expect", f"2={tmp_path / 'want.npy'}", "--rtol", "0", "--atol", "2e-5"]
    command = ["--lower-with", program, str(tmp_path / "f.mlir"), "-e", "f", *arguments, *expected]
    assert xegpu_run.main(command) == 0


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("program", GENERATIONS)
def test_the_commands_of_the_page(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    section = PAGE.read_text().split("## From tensors")[1].split("\n## ")[0]
    (source,) = re.findall(r"```mlir\n(.*?)```", section, re.DOTALL)
    (commands,) = re.findall(r"```bash\n(.*?)```", section, re.DOTALL)
    _, matrices, run = map(shlex.split, commands.splitlines())
    Path("product.mlir").write_text(source)
    exec(matrices[2], {})
    words = [program if word == "mlir-opt" else word for word in run[1:]]
    assert xegpu_run.main(words) == 0
    np.save("want.npy", np.load("want.npy") + 1)
    assert xegpu_run.main(words) == 1


def test_a_program_that_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "f.mlir").write_text("module {}")
    assert xegpu_run.main(["--lower-with", str(tmp_path / "mlir-opt"), str(tmp_path / "f.mlir")]) != 0
    assert "apt-get install mlir-22-tools" in capsys.readouterr().err


def test_a_path_is_that_of_the_users_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The program runs in a folder of its own."""
    (tmp_path / "mine").write_text('#!/bin/sh\necho "LLVM version 22.1"\ncase $* in *pipeline*) exit 3 ;; esac\n')
    (tmp_path / "mine").chmod(0o755)
    (tmp_path / "f.mlir").write_text("func.func @f() {\nreturn\n}\n")
    monkeypatch.chdir(tmp_path)
    assert xegpu_run.main(["--lower-with", "./mine", "f.mlir", "-e", "f"]) == 1
    assert capsys.readouterr().err == f"f.mlir: error: {tmp_path}/mine ends with status 3\n"
