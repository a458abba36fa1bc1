"""The wheel works outside of a checkout, in an environment that holds nothing but what the wheel asks for.

The commands are those of `pyproject.toml`. Installing takes a package index, so that only `--all` runs these tests.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from passes.frontends.opencl import find_compiler
from tests.paths import EXAMPLES, ROOT
from xegpu import __version__

pytestmark = pytest.mark.exhaustive

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
COMMANDS = sorted(PROJECT["project"]["scripts"])
PACKAGES = ("xegpu", "passes", "zebin", "runtime", "tools")
CORPUS = ROOT / "tests" / "corpus"
OWN_VARIABLES = ("PYTHON", "XEGPU_", "VIRTUAL_ENV")


@dataclass(frozen=True)
class Installation:
    """A wheel, and an environment that it is installed in."""

    wheel: Path
    programs: Path
    folder: Path

    def run(self, command: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Runs a command of the environment in a folder of its own, and returns how it ended."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(OWN_VARIABLES)}
        environment |= {"HOME": str(self.folder), "PATH": f"{self.programs}:{os.environ['PATH']}", **variables}
        return subprocess.run(
            [str(self.programs / command), *arguments],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    def output(self, command: str, *arguments: str, **variables: str) -> str:
        """Runs a command that has to succeed, and returns what it prints."""
        done = self.run(command, *arguments, **variables)
        assert done.returncode == 0, done.stderr
        return done.stdout


def tracked(*places: str) -> list[str]:
    listing = subprocess.run(["git", "ls-files", *places], cwd=ROOT, capture_output=True, text=True, check=True)
    return listing.stdout.splitlines()


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    folder = tmp_path_factory.mktemp("installation")
    # Of a copy, because setuptools leaves the modules of earlier builds in build/, and would pack them again.
    source = folder / "source"
    for name in tracked():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", str(folder), str(source)], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    shutil.rmtree(source)
    environment, home = folder / "environment", folder / "home"
    venv.create(environment, with_pip=True)
    home.mkdir()
    programs = environment / "bin"
    subprocess.run([programs / "python", *pip[1:], "install", str(wheel)], check=True, capture_output=True, cwd=home)
    return Installation(wheel, programs, home)


def test_the_wheel_has_every_file_of_the_packages(installation: Installation) -> None:
    packed = {name for name in zipfile.ZipFile(installation.wheel).namelist() if ".dist-info/" not in name}
    assert packed == set(tracked(*PACKAGES))


def test_nothing_but_the_wheel_is_used(installation: Installation) -> None:
    place = installation.output("python", "-c", "import runtime; print(runtime.__file__)")
    assert Path(place.strip()).is_relative_to(installation.programs.parent)
    installation.output("python", "-m", "pip", "check")


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_tell_their_version_and_help(installation: Installation, command: str) -> None:
    told = installation.output(command, "--version")
    assert re.fullmatch(rf"{command} {re.escape(__version__)}(?: \(xdsl [\d.]+\))?\n", told)
    assert installation.output(command, "--help").startswith(f"usage: {command} ")


@pytest.mark.parametrize("command", COMMANDS)
def test_shells_complete_commands(installation: Installation, command: str) -> None:
    assert command in installation.output("register-python-argcomplete", command)
    found, line = installation.folder / "completions", f"{command} --vers"
    request = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(found),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
    }
    installation.run(command, **request)
    assert found.read_text() == "--version "


@pytest.mark.parametrize("target", ["pvc", "arc"])
def test_a_matrix_product_is_compiled_and_run(installation: Installation, target: str) -> None:
    folder = installation.folder
    random = np.random.default_rng(3)
    a, b = random.uniform(-1, 1, (2, 256, 256)).astype(ml_dtypes.bfloat16)
    np.save(folder / "a.npy", a)
    np.save(folder / "b.npy", b)
    np.save(folder / "c.npy", (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32))
    shutil.copy(EXAMPLES / "gemm.mlir", folder)
    installation.output("xegpu-opt", "gemm.mlir", "--target", target, "-t", "zebin", "-o", "gemm.zebin")
    assert "gemm" in installation.output("zebin-dump", "--kernels", "gemm.zebin")
    arguments = ["--grid=32,16", "--arg=a.npy:bf16", "--arg=b.npy:bf16", "--arg=zeros:256x256xf32"]
    # The products are exact; a sum of 256 terms of at most 1 loses less than 256 halves of the last place of 256.
    arguments += ["--expect=2=c.npy", "--rtol=0", f"--atol={256 * 256 * 2**-24}"]
    installation.output("xegpu-run", "gemm.zebin", *arguments)


PROGRAMS = [
    pytest.param(CORPUS / "spirv/vector_add.ocloc.spv", id="spirv"),
    pytest.param(
        CORPUS / "opencl/vector_add.cl",
        id="opencl",
        marks=pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C"),
    ),
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_in_other_languages_run(installation: Installation, program: Path) -> None:
    arguments = ["--grid=4", "--group=16", "--arg=arange:64xf32", "--arg=ones:64xf32", "--arg=zeros:64xf32"]
    arguments += ["--arg=f32:2", "--arg=i32:64", "--expect=2=arange:64xf32:2"]
    installation.output("xegpu-run", str(program), *arguments)


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a compiler of C")
def test_the_driver_is_built(installation: Installation) -> None:
    library = installation.folder / "libze_xegpu.so"
    assert installation.output("xegpu-driver", "build", "-o", str(library)).strip() == str(library)
    assert library.read_bytes().startswith(b"\x7fELF")


def test_editors_get_their_grammars(installation: Installation) -> None:
    """They are files of the package that no module is."""
    grammars = installation.folder / "grammars"
    done = installation.run("xegpu-lsp", "--grammars", str(grammars))
    assert done.returncode == 0, done.stderr
    assert any(grammars.iterdir())


@pytest.mark.skipif(shutil.which("pipx") is None, reason="needs pipx")
def test_pipx_runs_commands_without_installing_them(installation: Installation) -> None:
    home = installation.folder / "pipx"
    pipx = str(shutil.which("pipx"))
    done = subprocess.run(
        [pipx, "run", "--spec", str(installation.wheel), "xegpu-opt", "--version"],
        env=os.environ | {"PIPX_HOME": str(home), "PIPX_BIN_DIR": str(home / "bin")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"xegpu-opt {__version__}")
