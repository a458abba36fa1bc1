"""Kernels here and on the CPU: several producers of modules, one driver; and other drivers, with the same arguments."""

from __future__ import annotations

import warnings
from functools import cache
from importlib.util import find_spec

import pytest

from runtime import Device
from tests.peer.opencl import cpu, producers
from tests.peer.opencl.cases import PRODUCERS, Array, Case, cases
from tests.peer.opencl.refusals import WRONG, known_of_cpu

pytestmark = [
    pytest.mark.skipif(cpu.driver() is None, reason="needs OpenCL for CPUs: intel-opencl-rt of PyPI or PoCL"),
    pytest.mark.skipif(find_spec("pyopencl") is None, reason="needs pyopencl"),
]
_PARAMETERS = [(case, producer) for case in cases() for producer in PRODUCERS if producer in case.only]


@cache
def device(target: str) -> Device:
    return Device(target)


@cache
def expected(case: Case, driver: str | None = None) -> list[Array]:
    """Returns what the CPU gives, which all producers are compared with; skips what it is known not to run."""
    (answer,) = cpu.run([case], driver)
    if isinstance(answer, str):
        reason = known_of_cpu(case.name, driver)
        assert reason is not None, f"the CPU does not run it: {answer}"
        pytest.skip(f"the CPU does not run it: {reason}")
    return answer


@pytest.mark.sampled(every=80, all=5)
@pytest.mark.parametrize(("case", "producer"), _PARAMETERS, ids=lambda value: getattr(value, "name", value))
def test_a_kernel_gives_what_it_gives_on_the_cpu(case: Case, producer: str) -> None:
    if (reason := producers.missing(producer)) is not None:
        pytest.skip(reason)
    compare(case, producer, expected(case))


@pytest.mark.sampled(every=80)
@pytest.mark.parametrize("driver", [name for name in cpu.drivers() if name != cpu.driver()])
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_a_kernel_gives_what_other_drivers_give(case: Case, driver: str) -> None:
    if case.name in WRONG.get(driver, ()):
        pytest.skip(f"{driver} computes it wrongly")
    compare(case, "llvm", expected(case, driver))


def compare(case: Case, producer: str, wanted: list[Array]) -> None:
    """Compares what a case writes, made by a producer, with what the CPU gives."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what clang says about the kernels' attributes
        module = producers.compiled(case, producer, device(case.target))
    found = producers.launched(case, module, device(case.target))
    assert case.difference(found, wanted) is None


def test_there_are_enough_kernels_through_each_producer() -> None:
    for producer in PRODUCERS:
        assert len([case for case in cases() if producer in case.only]) >= 60
