"""Kernels as Intel's compiler of each generation makes them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.peer.generations import missing, program

STANDARDS = {"installed": "CL2.0", "today": "CL3.0"}
"""The newest version of OpenCL C that each compiler takes for all GPUs."""


class NotBuilt(AssertionError):
    """A kernel that `ocloc` refuses."""


def compiled(
    source: Path, device: str, folder: Path, generation: str = "installed", options: str = "", more: Iterable[str] = ()
) -> bytes:
    """Returns the ZEBIN of a file of OpenCL C; skips the test where there is no compiler of that generation.

    Args:
        source: the file.
        device: the GPU as `ocloc` calls it.
        folder: the folder for what it writes.
        generation: which compiler.
        options: the options of OpenCL, beside that of the standard.
        more: further words of the command.

    Raises:
        NotBuilt: the compiler refuses the file.
    """
    if (ocloc := program("ocloc", generation)) is None:
        pytest.skip(missing("ocloc", "intel-opencl-icd", generation))
    command = [ocloc, "compile", "-file", str(source), "-device", device, "--format", "zebin", "-output", "made"]
    command += ["-output_no_suffix", "-options", f"-cl-std={STANDARDS[generation]} {options}", *more]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    made = next((file for file in (folder / "made", folder / "made.bin") if file.exists()), None)
    if made is None:
        raise NotBuilt(done.stdout)
    binary = made.read_bytes()
    made.unlink()
    return binary
