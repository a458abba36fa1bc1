"""Kernels in OpenCL C as modules of our device: clang's LLVM IR, or SPIR-V of others, of each generation."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from passes.frontends.opencl import find_compiler
from runtime import Device, DeviceImage, DeviceSampler, Module
from runtime.mux import compile_spirv
from tests.peer.generations import either, program
from tests.peer.native.ocloc import STANDARDS
from tests.peer.opencl.cases import Argument, Array, Launch, SamplerWords, Texels

_CLANG = "-x cl -cl-std=CL3.0 -Xclang -cl-ext=+all -cl-no-stdinc -Xclang -finclude-default-header -O1"
_OUTPUT = "-output k -output_no_suffix"
_PROGRAMS = {
    "clang23": {"clang-23": either("clang-23")},
    "clang22": {"clang-22": either("clang-22")},
    "clang15": {name: either(name) for name in ("clang-15", "llvm-spirv-15")},
    "ocloc": {"ocloc": program("ocloc", "installed")},
    "ocloc_today": {"ocloc of today": program("ocloc", "today")},
}
"""The programs of each producer by name, and their paths; None for those that are missing."""


def missing(producer: str) -> str | None:
    """Returns why a producer cannot work here."""
    if producer == "llvm":
        return None if find_compiler() is not None else "clang is not installed"
    return next((f"{name} is not installed" for name, path in _PROGRAMS[producer].items() if path is None), None)


def compiled(case: Launch, producer: str, device: Device) -> Module:
    """Returns the module of a case."""
    if producer == "llvm":
        return device.compile(case.text, f"{case.file}.cl", options=case.options)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "k.cl")
        source.write_text(case.text)
        programs = [path for path in _PROGRAMS[producer].values() if path is not None]
        _SPIRV[producer](Path(folder), programs, device, " ".join(case.options))
        made = next(path for path in (Path(folder, "k.spv"), Path(folder, "k")) if path.exists())
        return device.load(compile_spirv(made.read_bytes(), device.target.name))


def _clang(folder: Path, programs: Sequence[str], _: Device, options: str) -> None:
    (clang,) = programs
    _run(folder, f"{clang} -target spirv64-unknown-unknown {_CLANG} {options} -mllvm -spirv-ext=all -c k.cl -o k.spv")


def _clang15(folder: Path, programs: Sequence[str], _: Device, options: str) -> None:
    clang, translator = programs
    _run(folder, f"{clang} -target spir64 {_CLANG} {options} -Xclang -disable-llvm-passes -emit-llvm -c k.cl -o k.bc")
    _run(folder, f"{translator} --spirv-ext=+all k.bc -o k.spv")


def _ocloc(standard: str, folder: Path, programs: Sequence[str], device: Device, options: str) -> None:
    """The device chooses the header: that of PVC has no images, that of DG2 no doubles."""
    name = {"pvc": "pvc", "arc": "dg2"}[device.target.name]
    words = [*programs, "compile", "-file", "k.cl", "-spv_only", "-device", name, *_OUTPUT.split()]
    _run(folder, [*words, "-options", f"-cl-std={standard} {options}"])


_SPIRV: dict[str, Callable[[Path, Sequence[str], Device, str], None]] = {
    "clang23": _clang,
    "clang22": _clang,
    "clang15": _clang15,
    "ocloc": partial(_ocloc, STANDARDS["installed"]),
    "ocloc_today": partial(_ocloc, STANDARDS["today"]),
}


def _run(folder: Path, command: str | Sequence[str]) -> None:
    words = command.split() if isinstance(command, str) else command
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stderr}{done.stdout}"


def _passed(value: Argument, device: Device) -> Array | np.generic | int | DeviceImage | DeviceSampler:
    """Returns an argument of our kernels."""
    if isinstance(value, Texels):
        type = {"1d_buffer": "buffer"}.get(value.type, value.type.removesuffix("_depth"))
        return device.image(value.values, value.format, type)
    if isinstance(value, SamplerWords):
        return device.sampler(value.addressing, value.filter, normalized=value.normalized)
    return value.copy() if isinstance(value, np.ndarray) else value


def launched(case: Launch, module: Module, device: Device) -> list[Array]:
    """Runs a case. Returns what it has written."""
    values = [_passed(value, device) for value in case.arguments()]
    groups = [size // part for size, part in zip(case.items, case.group, strict=True)]
    padding = [1] * (3 - len(groups))
    module[case.name][(*groups, *padding), (*case.group, *padding)](*values)
    found = [values[position] for position in case.results]
    return [value.numpy() if isinstance(value, DeviceImage) else value for value in found]
