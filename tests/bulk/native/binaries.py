"""Binaries of today's `ocloc`: of a kernel, with a set of options, for all names of products that share a model."""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.peer.generations import program
from tests.peer.native.ocloc import STANDARDS, NotBuilt
from tests.peer.opencl.cases import Launch
from zebin import device_images, read

NAMES: Mapping[str, Sequence[str]] = {
    "pvc": ("pvc-xt-c0", "pvc-xl-a0", "pvc-xl-a0p", "pvc-xt-a0", "pvc-xt-b0", "pvc-xt-b1", "pvc-vg"),
    "arc": (
        *("dg2-g10-c0", "dg2-g10-a0", "dg2-g10-a1", "dg2-g10-b0", "dg2-g11-a0", "dg2-g11-b0", "dg2-g11-b1", "dg2-g12"),
        *("mtl-u-b0", "mtl-u-a0", "mtl-h-a0", "mtl-h-b0", "arl-h-a0", "arl-h-b0"),
    ),
}
"""A name of `ocloc` for each configuration, by the model that runs its code.

Others, as pvc, acm-g10, ats-m150 and arl-u, are names of these.
"""

FAMILIES: Mapping[str, str] = {"pvc-xt-c0": "pvc", "dg2-g10-c0": "dg2"}
"""The families that a driver is told to be one of, by the names whose code it takes then."""

_CODE = re.compile(r"\.(text|data|bss|rel|rela|ze_info|symtab|debug_line)\b")


@dataclass(frozen=True)
class OptionSet:
    """Options of OpenCL, options for Intel's compiler alone, and the size of subgroups that all kernels require."""

    options: str = ""
    internal: str = ""
    subgroup: int | None = None
    is_inexact: bool = False
    without: str = ""
    """Kernels in whose texts this pattern occurs are not compiled with the options."""


_SUBGROUPS = r"sub_group|\bwork_group_scan"
OPTIONS: Mapping[str, OptionSet] = {
    "default": OptionSet(),
    "O0": OptionSet("-cl-opt-disable"),
    "debug": OptionSet("-g"),
    "O0debug": OptionSet("-g -cl-opt-disable"),
    "large": OptionSet("-cl-intel-256-GRF-per-thread"),
    "fast": OptionSet("-cl-fast-relaxed-math", is_inexact=True),
    "mad": OptionSet("-cl-mad-enable -cl-no-signed-zeros -cl-denorms-are-zero", is_inexact=True),
    "stateless": OptionSet("-cl-intel-greater-than-4GB-buffer-required"),
    "bindless": OptionSet(internal="-cl-intel-use-bindless-mode -cl-intel-use-bindless-advanced-mode"),
    "simd16": OptionSet(subgroup=16, without=_SUBGROUPS),
    "simd32": OptionSet(subgroup=32, without=_SUBGROUPS),
}


def built(launch: Launch, options: OptionSet, names: Sequence[str], folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yields the ZEBINs of a kernel with the names of their devices. Raises `NotBuilt` with what `ocloc` says."""
    ocloc = program("ocloc", "today")
    assert ocloc is not None
    text = launch.text
    if options.subgroup is not None:
        text = re.sub(r"\bkernel\b", f"kernel __attribute__((intel_reqd_sub_group_size({options.subgroup})))", text)
    (folder / "k.cl").write_text(text)
    made = folder / "made"
    made.unlink(missing_ok=True)
    words = " ".join([f"-cl-std={STANDARDS['today']}", options.options, *launch.options])
    command = [ocloc, "compile", "-file", "k.cl", "-device", ",".join(names), "--format", "zebin", "-output", "made"]
    command += ["-output_no_suffix", "-options", words]
    if options.internal:
        command += ["-internal_options", options.internal]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    found = next((path for path in (made, folder / "made.bin") if path.exists()), None)
    if found is None:
        raise NotBuilt(done.stdout)
    data = found.read_bytes()
    found.unlink()
    images = [bytes(image.data) for image in device_images(data) if image.is_zebin]
    yield from zip(names, images, strict=True)


def code_of(binary: bytes) -> bytes:
    """Returns what is the same if two binaries have the same code and facts."""
    digest = hashlib.sha256()
    for section in read(binary).elf.sections:
        if _CODE.match(section.name):
            digest.update(section.name.encode() + bytes(section.data))
    return digest.digest()
