"""Intel's Level Zero driver takes our ZEBINs and understands of each kernel what we say of it.

The driver runs without a GPU when it is told to write its commands to a file; it then decodes modules as ever.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from ctypes.util import find_library
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.peer.generations import FETCHED, GENERATIONS, missing
from tests.unit.zebin.support import CODE, SAMPLES, Image, compiled_kernel, with_external_function
from xegpu.isa import CompiledKernel, ImplicitArgument, KernelArgument, SymbolReference, Variable
from xegpu.isa.code.features import CodeFeatures
from xegpu.isa.cost import KernelCost, Pipe, RegionCost, TripCount
from xegpu.isa.model import ArgumentKind
from xegpu.targets import ARC, PVC, Target
from zebin import ZebinError, build, edit, read, write

PROBE = Path(__file__).with_name("zebin_driver.c")
DEVICES = {"pvc": "pvc", "arc": "dg2", "dg2": "dg2"}


class Properties(NamedTuple):
    """The properties of a kernel that the driver reports. Sizes are in bytes."""

    arguments: int
    simd_size: int
    local_memory: int
    private: int
    spill: int
    group_size: tuple[int, int, int]


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled probe; the tests are skipped where it cannot be made or finds no driver."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    if not Path("/usr/include/level_zero/ze_api.h").exists():
        pytest.skip("Level Zero headers are not installed (libze-dev)")
    program = tmp_path_factory.mktemp("probe") / "zebin_driver"
    subprocess.run(["gcc", "-Wall", "-Werror", str(PROBE), "-lze_loader", "-o", str(program)], check=True)
    return program


TODAY = {"UseAubStream": "0", "UseExternalAllocatorForSshAndDsh": "0", "HardwareInfoOverride": "1x4x8"}
"""Today's driver needs these besides: its library for files of commands is a stub, and so is one of its heaps then."""


def run_probe(
    probe: Path,
    path: Path,
    device: str,
    directory: Path,
    *variables: str,
    timeout: float | None = None,
    generation: str = "installed",
) -> subprocess.CompletedProcess[str]:
    """Runs the probe on a file; the driver leaves the commands that it would have sent in the directory."""
    is_today = generation == "today"
    if not (FETCHED / "run").exists() if is_today else find_library("ze_intel_gpu") is None:
        pytest.skip(missing("Intel's Level Zero driver", "intel-opencl-icd", generation))
    settings = {
        "NEOReadDebugKeys": "1",
        "SetCommandStreamReceiver": "1",
        "ProductFamilyOverride": DEVICES[device],
        "HardwareInfoOverride": "2x4x8",
        "PrintDebugMessages": "1",
    }
    return subprocess.run(
        [*([str(FETCHED / "run")] if is_today else []), str(probe), str(path), *variables],
        cwd=directory,
        env=os.environ | settings | (TODAY if is_today else {}),
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=timeout,
    )


def ask(
    probe: Path, data: bytes, device: str, directory: Path, *variables: str, generation: str = "installed"
) -> list[list[str]]:
    """Returns what the driver says of the module's kernels and of the variables: the words of each line."""
    path = directory / "module.zebin"
    path.write_bytes(data)
    result = run_probe(probe, path, device, directory, *variables, generation=generation)
    assert result.returncode == 0, result.stdout + result.stderr
    return [line.split(" ") for line in result.stdout.splitlines()]


def load(
    probe: Path, data: bytes, device: str, directory: Path, generation: str = "installed"
) -> dict[str, Properties]:
    """Returns the properties of the module's kernels that the driver for `device` reports."""
    return reported(ask(probe, data, device, directory, generation=generation))


def reported(lines: list[list[str]]) -> dict[str, Properties]:
    """Returns the properties in what the probe says."""
    kernels = {}
    for words in lines:
        if len(words) == 9 and all(word.isdigit() for word in words[1:]):
            arguments, simd_size, local_memory, private, spill, x, y, z = map(int, words[1:])
            kernels[words[0]] = Properties(arguments, simd_size, local_memory, private, spill, (x, y, z))
    return kernels


def claimed(kernel: CompiledKernel) -> Properties:
    """Returns the kernel's own properties. The driver gives scratch in powers of two from 1024 bytes on."""
    spill = 1 << max((kernel.facts.spill_size - 1).bit_length(), 10) if kernel.facts.spill_size else 0
    group_size = kernel.facts.required_work_group_size or (0, 0, 0)
    return Properties(len(kernel.facts.arguments), kernel.facts.simd_size, kernel.facts.slm_size, 0, spill, group_size)


_PIPES = dict.fromkeys(Pipe, 0)
COST = KernelCost(
    RegionCost(10, _PIPES, 0, 64, 1), (RegionCost(20, _PIPES, 64, 0, 0, TripCount(-5, 16, argument=1, scale=1)),)
)

VARIANTS: dict[str, dict[str, object]] = {
    "plain": {},
    "subgroup mode": {"simd_size": 1, "local_id_dimensions": 1},
    "subgroup mode, three dimensions": {"simd_size": 1, "local_id_dimensions": 3},
    "no local ids": {"local_id_dimensions": 0},
    "SIMD32": {"simd_size": 32, "local_id_dimensions": 3},
    "no arguments": {"arguments": ()},
    "large register file": {"grf_count": 256},
    "local memory": {"slm_size": 4096, "barrier_count": 1},
    "spills": {"spill_size": 640},
    "spills much": {"spill_size": 65536},
    "known grid size": {"known_grid_size": (4, 3, 2)},
    "required group size": {"required_work_group_size": (8, 4, 1)},
    "cost": {"cost": COST},
    "cost without loops": {"cost": KernelCost(COST.outside)},
    "matrix engine": {"features": CodeFeatures(has_dpas=True, has_global_atomics=True, writes_global=True)},
    "nothing written": {"features": CodeFeatures()},
    "waits": {"features": CodeFeatures(waits_for_others=True, reaches_global=True, overrides_l1=True)},
    "images": {"features": CodeFeatures(has_sample=True, fences_images=True)},
    "images and samplers": {
        "arguments": (
            KernelArgument.at(32, 8, "in", "image2d_array_t", ArgumentKind.IMAGE, "readonly"),
            KernelArgument.at(40, 8, "s", "sampler_t", ArgumentKind.SAMPLER),
            KernelArgument.at(48, 8, "out", "image1d_buffer_t", ArgumentKind.IMAGE, "writeonly"),
        ),
        "implicit_arguments": (
            ImplicitArgument("image_width", 56, 4, 0),
            ImplicitArgument("image_array_size", 60, 4, 0),
            ImplicitArgument("image_channel_order", 64, 4, 2),
        ),
    },
    "ordered subgroups": {"ordered_subgroups": True},
    "ordered subgroups, subgroup mode": {"ordered_subgroups": True, "simd_size": 1, "local_id_dimensions": 3},
    "required subgroup size": {"required_subgroup_size": 16},
    "indirect": {"indirect_accesses": 2},
    "two scratch spaces": {"spill_size": 640, "private_size": 512},
    "prints": {
        "printf_strings": ("x = %d\n", "y"),
        "implicit_arguments": (ImplicitArgument("printf_buffer", 0, 8),),
    },
    "variables": {
        "code": CODE + bytes(64),
        "variables": (
            Variable("table", bytes(256), 64, True),
            Variable("counter", bytes(8), 64, False),
            Variable("hidden", bytes(8), 64, False, False, (SymbolReference(0, "counter"),)),
            Variable("rows", bytes(16), 64, True, True, (SymbolReference(8, "table"), SymbolReference(0, "rows"))),
        ),
        "references": (SymbolReference(32, "table"), SymbolReference(48, "counter")),
    },
    "an address as a number": {"arguments": (KernelArgument.at(32, 8, "p", "i64", is_address=True),)},
}


@pytest.mark.parametrize("changes", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
def test_a_built_kernel_is_understood(target: Target, changes: dict[str, object], probe: Path, tmp_path: Path) -> None:
    kernel = compiled_kernel(**changes)
    data = build(target, [kernel])
    assert load(probe, data, target.name, tmp_path) == {kernel.name: claimed(kernel)}


@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
def test_the_driver_of_today_understands_all_kernels(target: Target, probe: Path, tmp_path: Path) -> None:
    """It reports memory in bytes as `.ze_info` states it, and private memory, too."""
    kernels = [compiled_kernel(f"kernel_{n}", **changes) for n, changes in enumerate(VARIANTS.values())]
    path = tmp_path / "module.zebin"
    path.write_bytes(build(target, kernels))
    done = run_probe(probe, path, target.name, tmp_path, generation="today")
    assert done.returncode == 0, done.stdout + done.stderr
    stated = {
        kernel.name: claimed(kernel)._replace(private=kernel.facts.private_size, spill=kernel.facts.spill_size)
        for kernel in kernels
    }
    assert reported([line.split(" ") for line in done.stdout.splitlines()]) == stated


@pytest.mark.parametrize("generation", GENERATIONS)
def test_a_text_without_a_version_is_taken(generation: str, probe: Path, tmp_path: Path) -> None:
    """The driver warns of it, and so does the reader."""
    data = build(PVC, [compiled_kernel("k")])
    line = re.search(rb"version: .*", data)
    assert line is not None
    path = tmp_path / "module.zebin"
    path.write_bytes(data.replace(line[0], b"#" * len(line[0])))
    assert [finding.code for finding in read(path).findings] == ["version.missing"]
    done = run_probe(probe, path, "pvc", tmp_path, generation=generation)
    assert "k" in reported([line.split(" ") for line in done.stdout.splitlines()]), done.stdout + done.stderr


def test_all_kernels_of_a_module_are_understood(probe: Path, tmp_path: Path) -> None:
    kernels = [compiled_kernel(f"kernel_{n}", **changes) for n, changes in enumerate(VARIANTS.values())]
    data = build(PVC, kernels)
    assert load(probe, data, "pvc", tmp_path) == {kernel.name: claimed(kernel) for kernel in kernels}


@pytest.mark.parametrize("path", [p for p in SAMPLES if ".tgllp" not in p.name], ids=lambda path: path.stem)
def test_a_rewritten_sample_is_understood_as_the_original(path: Path, probe: Path, tmp_path: Path) -> None:
    device = path.stem.rpartition(".")[2]
    if "m32" in path.stem:
        pytest.skip("the driver loads 32-bit modules for 32-bit programs only")
    original = load(probe, path.read_bytes(), device, tmp_path)
    assert original
    assert load(probe, write(read(path)), device, tmp_path) == original


def test_the_driver_and_the_reader_agree_on_arguments(probe: Path, tmp_path: Path) -> None:
    for path in SAMPLES:
        if path.name.endswith(".pvc.zebin"):
            counts = {name: kernel.argument_count for name, kernel in read(path).kernels.items()}
            reported = load(probe, path.read_bytes(), "pvc", tmp_path)
            assert {name: properties.arguments for name, properties in reported.items()} == counts


@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
def test_variables_are_found_by_name(target: Target, probe: Path, tmp_path: Path) -> None:
    kernel = compiled_kernel(**VARIANTS["variables"])
    lines = ask(probe, build(target, [kernel]), target.name, tmp_path, "table", "counter")
    assert [words for words in lines if len(words) == 2] == [["table", "256"], ["counter", "8"]]


def test_an_external_function_is_linked(probe: Path, tmp_path: Path) -> None:
    """Put together by hand: a function that other modules may call, and a kernel that has its address."""
    data = with_external_function()
    original = load(probe, data, "pvc", tmp_path)
    assert list(original) == list(read(data).kernels)
    assert load(probe, write(read(data)), "pvc", tmp_path) == original


VADD = SAMPLES[0].with_name("vadd-noir.pvc.zebin")
STATELESS = "kernels[vadd].payload_arguments[{}]"


def stateless_argument() -> str:
    """Returns the path of the first pointer that code uses as an address."""
    arguments = read(VADD).kernels["vadd"].payload_arguments
    return STATELESS.format(next(index for index, a in enumerate(arguments) if a.addrmode == "stateless"))


def edited(path: str, value: object) -> bytes:
    return edit(VADD).set(path, value).binary(force=True)


def refused_files() -> Iterator[tuple[str, bytes]]:
    """Yields files that the driver refuses or aborts on, each with one change to a sound one."""
    pointer = stateless_argument()
    yield "alignment", edited(f"{pointer}.slm_alignment", 256)
    yield "negative alignment", edited(f"{pointer}.slm_alignment", -4)
    yield "local ids among arguments", edited(f"{STATELESS.format(0)}.arg_type", "local_id")
    yield "no access type", edit(VADD).delete(f"{pointer}.access_type").binary(force=True)
    yield "end of the payload", edited(f"{pointer}.offset", 65504)
    for size in (2, 3, 16, 33):
        printf = {"arg_type": "printf_buffer", "offset": 128, "size": size}
        editor = edit(VADD).append("kernels[vadd].payload_arguments", printf)
        yield f"printf buffer of {size} bytes", editor.binary(force=True)
    image = Image(VADD.read_bytes())
    yield "program headers", image.header(phoff=1 << 40).bytes
    for field in ("offset", "size"):
        yield f"{field} of section 0", Image(VADD.read_bytes()).section(0, **{field: 1 << 30}).bytes
    yield "kernel in section 0", Image(VADD.read_bytes()).symbol(1, shndx=0).bytes


@pytest.mark.parametrize(
    ("what", "data"), list(refused_files()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_files_that_the_driver_refuses_have_errors(what: str, data: bytes, probe: Path, tmp_path: Path) -> None:
    """`tests.bulk.driver.comparison` finds such files; these are the ones that once had no error."""
    path = tmp_path / "module.zebin"
    path.write_bytes(data)
    done = run_probe(probe, path, "pvc", tmp_path, timeout=60)
    assert done.returncode, what
    with pytest.raises(ZebinError):
        read(data)
