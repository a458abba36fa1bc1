"""The whole life of kernels: compiled, linked, finalised, serialised, specialised by another process, and run."""

from __future__ import annotations

import multiprocessing
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from runtime import Device
from runtime.mux import ArgumentDescriptor, DescriptorKind, ModuleState, NDRangeOptions
from tests.peer.opencl.cases import ITEMS, Array, Case, cases
from tests.unit.runtime.mux.support import device, empty, needs_clang, opencl

pytestmark = needs_clang

OTHER = "kernel void other_kernel(global int *x) { x[get_global_id(0)]++; } int never_called(int a) { return a; }"
CASES = [case for case in cases() if "llvm" in case.only and "image" not in case.text]
LARGE = ("floats", "half")
"""The files whose kernels take seconds to compile."""
_LOCAL_ARRAY = re.compile(r"\blocal \w+ \w+\[")


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[ProcessPoolExecutor]:
    """Yields another process."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        yield pool


def binaries(data: bytes, gpu: str, name: str, launches: Sequence[NDRangeOptions]) -> list[bytes | str]:
    """Returns the binary of a serialised module, and those of a kernel for some launches."""
    module = empty(gpu)
    assert module.deserialize(data), module.log.text
    assert module.state is ModuleState.FINALIZED
    kernel = module.get_kernel(name)
    assert kernel is not None
    return [module.create_binary(), *map(kernel.create_specialized_kernel, launches)]


def groups(case: Case) -> list[Case]:
    """Returns a case with three sizes of work-groups, or with the one that its text states.

    Local arrays of the kernel have room for the work-groups of the case, or for smaller ones.
    """
    if "reqd_work_group_size" in case.text:
        return [case]
    size, first = int(np.prod(case.group)), case.group[0]
    if _LOCAL_ARRAY.search(case.text):
        widths = [first // factor for factor in (1, 2, 4) if first % factor == 0]
    else:
        widths = [first * factor for factor in (1, 2, 4) if factor * size <= ITEMS]
    return [replace(case, group=(width, *case.group[1:])) for width in widths]


def launch(case: Case) -> NDRangeOptions:
    """Returns the launch of a case, whose numbers are constants."""
    descriptors = []
    for value in case.arguments():
        if isinstance(value, np.ndarray):
            descriptors.append(ArgumentDescriptor(DescriptorKind.BUFFER))
        elif isinstance(value, np.generic):
            descriptors.append(ArgumentDescriptor(DescriptorKind.PLAIN_OLD_DATA, value.tobytes()))
        else:
            descriptors.append(ArgumentDescriptor(DescriptorKind.SHARED_LOCAL_BUFFER, size=value))
    local = (*case.group, *(3 - len(case.group)) * (1,))
    return NDRangeOptions(local, case.items, (0,) * len(case.items), len(case.items), descriptors)


def run(case: Case, binary: bytes, gpu: Device) -> list[Array]:
    values = [value.copy() if isinstance(value, np.ndarray) else value for value in case.arguments()]
    padding = [1] * (3 - len(case.group))
    counts = [size // part for size, part in zip(case.items, case.group, strict=True)]
    gpu.load(binary)[case.name][(*counts, *padding), (*case.group, *padding)](*values)
    return [found for position in case.results if isinstance(found := values[position], np.ndarray)]


def ordered(values: Array) -> Array:
    bits = values.view(f"i{values.dtype.itemsize}").astype(object)
    return np.where(bits < 0, -(1 << 8 * values.dtype.itemsize - 1) - bits, bits)


@pytest.mark.sampled(every=60, all=8)
@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=[pytest.mark.exhaustive] * (case.file in LARGE), id=case.name) for case in CASES],
)
def test_a_kernel_survives_its_life(case: Case, elsewhere: ProcessPoolExecutor) -> None:
    parts = [opencl(case.text, gpu=case.target), opencl(OTHER, gpu=case.target)]
    whole = empty(case.target)
    whole.link(parts)
    whole.finalize()
    launches = groups(case)
    made = elsewhere.submit(binaries, whole.serialize(), case.target, case.name, list(map(launch, launches))).result()
    assert made[0] == whole.create_binary()
    for each, special in zip(launches, made[1:], strict=True):
        wanted = run(each, whole.create_binary(), device(case.target))
        for found, right in zip(run(each, special, device(case.target)), wanted, strict=True):
            if found.dtype.kind != "f":
                np.testing.assert_array_equal(found, right)
                continue
            same = (found == right) | (np.isnan(found) & np.isnan(right))
            assert np.max(np.where(same, 0, np.abs(ordered(found) - ordered(right)))) <= case.ulp


def test_there_are_a_hundred_of_them() -> None:
    assert len(CASES) >= 100
