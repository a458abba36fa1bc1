"""Kernels as today's compiler makes them for each name of a product and each set of options (see `tests.bulk.native`).

A run takes a few of them; the kernel goes with the name and the options.
"""

from __future__ import annotations

import re
import zlib
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.bulk.native.binaries import FAMILIES, NAMES, OPTIONS, built
from tests.bulk.native.facts import Drivers
from tests.bulk.native.judgement import (
    RAN,
    SAME,
    Launches,
    device,
    everything,
    expected,
    is_comparable,
    models,
    outcome,
    problems,
)
from tests.bulk.suite.cases import Kernel
from tests.peer.generations import program
from tests.peer.native import iga
from tests.peer.native.ocloc import NotBuilt
from tests.peer.opencl import cpu
from tests.peer.test_zebin_driver import probe

__all__ = ["probe"]

pytestmark = [
    pytest.mark.skipif(
        program("ocloc", "today") is None or not iga.is_there(), reason="needs what scripts/peers fetches"
    ),
    pytest.mark.skipif(cpu.driver() is None, reason="needs OpenCL for CPUs: intel-opencl-rt of PyPI or PoCL"),
    pytest.mark.skipif(find_spec("pyopencl") is None, reason="needs pyopencl"),
]


def launch_for(model: str, name: str, options: str) -> Launches:
    """Returns the kernel that goes with a name and options."""
    without = OPTIONS[options].without
    chosen = [
        launch
        for launch in everything()
        if model in models(launch) and not (without and re.search(without, launch.text))
    ]
    return chosen[zlib.crc32(f"{name} {options}".encode()) % len(chosen)]


def made(model: str, name: str, options: str, folder: Path) -> tuple[Launches, bytes]:
    """Returns a kernel and its binary."""
    launch = launch_for(model, name, options)
    try:
        ((_, binary),) = built(launch, OPTIONS[options], [name], folder)
    except NotBuilt as error:
        pytest.skip(f"ocloc does not compile {launch.name}: {str(error)[:200]}")
    return launch, binary


@pytest.mark.sampled(every=120, all=24)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(("model", "name"), [(model, name) for model in NAMES for name in NAMES[model]])
def test_code_for_a_product(model: str, name: str, options: str, tmp_path: Path) -> None:
    launch, binary = made(model, name, options, tmp_path)
    gpu = device(model, "interpreter")
    assert not list(problems(gpu.target.platform, name, binary))
    (answer,) = cpu.run([launch.on_cpu() if isinstance(launch, Kernel) else launch])
    right = expected(launch, answer) if is_comparable(launch, name, OPTIONS[options]) else None
    found, text = outcome(launch, binary, gpu, right, OPTIONS[options])
    assert found in (SAME, RAN), f"{launch.name}: {text}"


@pytest.mark.sampled(every=22, all=4)
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(
    ("model", "name"), [(model, name) for model in NAMES for name in NAMES[model] if name in FAMILIES]
)
def test_memory_is_what_the_drivers_say(model: str, name: str, options: str, probe: Path, tmp_path: Path) -> None:
    _, binary = made(model, name, options, tmp_path)
    assert not list(Drivers(probe, tmp_path).differences(model, FAMILIES[name], binary))
