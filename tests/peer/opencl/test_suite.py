"""A few kernels of the suite (`tests.bulk.suite`), which runs all of them in several ways."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

import pytest

from passes.frontends.opencl import find_compiler
from runtime import Device
from tests.bulk.suite.cases import GPUS, Kernel, kernels
from tests.peer.opencl import cpu, producers

pytestmark = [
    pytest.mark.skipif(cpu.driver() is None, reason="needs OpenCL for CPUs: intel-opencl-rt of PyPI or PoCL"),
    pytest.mark.skipif(find_spec("pyopencl") is None, reason="needs pyopencl"),
    pytest.mark.skipif(find_compiler() is None, reason="clang is not installed"),
]
_RUNS = [(kernel, gpu) for kernel in kernels() for gpu in kernel.gpus]


@cache
def device(gpu: str) -> Device:
    return Device(gpu)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.sampled(every=80, all=4)
@pytest.mark.parametrize(("kernel", "gpu"), _RUNS, ids=lambda value: getattr(value, "name", value))
def test_a_kernel_gives_what_it_gives_on_the_cpu(kernel: Kernel, gpu: str) -> None:
    expected = cpu.run([kernel.on_cpu()])[0]
    assert not isinstance(expected, str), f"the CPU does not run it: {expected}"
    found = producers.launched(kernel, producers.compiled(kernel, "llvm", device(gpu)), device(gpu))
    assert kernel.difference(found, expected) is None


def test_there_are_enough_kernels_each_with_a_name_of_its_own() -> None:
    names = [kernel.name for kernel in kernels()]
    assert sorted(set(names)) == sorted(names)
    assert len(names) >= 200


def test_the_suite_uses_both_gpus() -> None:
    assert {gpu for _, gpu in _RUNS} == set(GPUS)
