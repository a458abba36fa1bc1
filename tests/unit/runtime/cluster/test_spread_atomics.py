"""Spread launches with atomics: bit-equal where the order of work-groups does not matter, refused where it may."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import Device
from runtime.cluster import SpreadError, Workers, spread

Array = np.ndarray[tuple[int, ...], np.dtype[np.generic]]

ITEMS, BINS = 512, 13


def kernel(body: str, element: str = "i32", extra: str = "") -> str:
    """A kernel in which each work-item has a number `%v` and the bin `%b` that it belongs to."""
    return f"""
gpu.module @m {{
  gpu.func @f(%data: memref<{ITEMS}x{element}>, %bins: memref<{BINS}x{element}>{extra}) kernel
      attributes {{known_block_size = array<i32: 16, 1, 1>}} {{
    %i = gpu.global_id x
    %c0 = arith.constant 0 : index
    %c13 = arith.constant {BINS} : index
    %b = arith.remui %i, %c13 : index
    %v = memref.load %data[%i] : memref<{ITEMS}x{element}>
    {body}
    gpu.return
  }}
}}
"""


def atomic(kind: str, element: str = "i32", name: str = "r", array: str = "bins") -> str:
    return f"%{name} = memref.atomic_rmw {kind} %v, %{array}[%b] : ({element}, memref<{BINS}x{element}>) -> {element}"


def both(text: str, *values: Array, grid: int = ITEMS // 16) -> tuple[list[Array], list[Array]]:
    """The arguments after a launch on this machine, and after one that is spread."""
    device = Device("pvc")
    module = device.compile(text, "f.mlir")
    alone, parts = [[value.copy() for value in values] for _ in range(2)]
    module["f"][grid](*alone)
    with Workers() as workers:
        spread(workers, device, module.binary, "f", (grid,), parts)
    return alone, parts


@pytest.mark.parametrize("element", ["i32", "i64"])
@pytest.mark.parametrize("kind", ["addi", "maxs", "mins", "maxu", "minu", "andi", "ori"])
def test_atomics_whose_order_does_not_matter(kind: str, element: str) -> None:
    """Sums wrap around, and what the array held before counts, too."""
    random = np.random.default_rng(3)
    whole = np.iinfo(f"int{element[1:]}")
    data, bins = (random.integers(whole.min, whole.max, size, whole.dtype, endpoint=True) for size in (ITEMS, BINS))
    alone, parts = both(kernel(atomic(kind, element), element), data, bins)
    assert alone[1].tobytes() == parts[1].tobytes() != bins.tobytes()


def test_an_array_may_be_written_beside_one_that_atomics_change() -> None:
    text = kernel(
        atomic("addi") + f"\nmemref.store %v, %copy[%i] : memref<{ITEMS}xi32>", extra=f", %copy: memref<{ITEMS}xi32>"
    )
    data = np.arange(ITEMS, dtype=np.int32)
    alone, parts = both(text, data, np.ones(BINS, np.int32), np.full(ITEMS, 5, np.int32), grid=20)
    for one, other in zip(alone, parts, strict=True):
        np.testing.assert_array_equal(one, other)
    assert (alone[2][:320] == data[:320]).all() and (alone[2][320:] == 5).all()


def test_different_arrays_may_have_different_atomics() -> None:
    text = kernel(atomic("addi") + "\n" + atomic("maxs", name="s", array="most"), extra=f", %most: memref<{BINS}xi32>")
    data = np.random.default_rng(4).integers(-1000, 1000, ITEMS, np.int32)
    alone, parts = both(text, data, np.zeros(BINS, np.int32), np.full(BINS, -7, np.int32))
    for one, other in zip(alone[1:], parts[1:], strict=True):
        assert one.tobytes() == other.tobytes()
    assert alone[1].sum() == data.sum()


def test_no_work_groups_change_nothing() -> None:
    bins = np.arange(BINS, dtype=np.int32)
    _, parts = both(kernel(atomic("mins")), np.zeros(ITEMS, np.int32), bins, grid=0)
    np.testing.assert_array_equal(parts[1], bins)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (atomic("addi") + f"\nmemref.store %r, %data[%i] : memref<{ITEMS}xi32>", "returns what it finds"),
        (atomic("assign"), "is an atomic whose order matters"),
        (atomic("addi") + "\n" + atomic("maxs", name="s"), "does not commute with atomic_iadd on argument 'bins'"),
        (
            f"%old = memref.load %bins[%b] : memref<{BINS}xi32>\n"
            f"memref.store %old, %data[%i] : memref<{ITEMS}xi32>\n{atomic('addi')}",
            "accesses argument 'bins', which atomics change",
        ),
        (
            f"{atomic('addi')}\nmemref.store %v, %bins[%c0] : memref<{BINS}xi32>",
            "accesses argument 'bins', which atomics change",
        ),
    ],
    ids=["returned", "exchange", "two kinds", "read", "written"],
)
def test_atomics_whose_order_may_matter(body: str, reason: str) -> None:
    device = Device("pvc")
    module = device.compile(kernel(body), "f.mlir")
    bins = np.zeros(BINS, np.int32)
    with Workers() as workers, pytest.raises(SpreadError) as raised:
        spread(workers, device, module.binary, "f", (4,), (np.zeros(ITEMS, np.int32), bins))
    assert reason in str(raised.value)
    assert "f.mlir:" in str(raised.value)


def test_one_of_two_arrays_is_chosen_when_the_kernel_runs() -> None:
    """Either may be the one that the atomic changes."""
    text = kernel(
        "%g = gpu.block_id x\n %odd = arith.cmpi slt, %g, %c13 : index\n"
        f"%either = arith.select %odd, %bins, %others : memref<{BINS}xi32>\n" + atomic("addi", array="either"),
        extra=f", %others: memref<{BINS}xi32>",
    )
    device = Device("pvc")
    module = device.compile(text, "f.mlir")
    arrays = [np.zeros(size, np.int32) for size in (ITEMS, BINS, BINS)]
    with Workers() as workers, pytest.raises(SpreadError, match="an argument that the code does not tell"):
        spread(workers, device, module.binary, "f", (4,), arrays)
