"""Tests of the initial registers of a thread."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from runtime.simulator import KernelDescription
from runtime.simulator.machine import thread_payload
from tests.unit.runtime.simulator.described import described
from xegpu.targets import ARC, PVC, Target


def description(
    target: Target = PVC, simd_size: int = 16, dimensions: int = 3, walk_order: tuple[int, int, int] = (0, 1, 2)
) -> KernelDescription:
    return described(
        "k", b"", target, simd_size, 128, local_id_dimensions=dimensions, walk_order=walk_order, cross_thread_size=8
    )


@pytest.mark.parametrize(
    ("simd", "size", "threads"), [(16, (16, 1, 1), 1), (16, (17, 1, 1), 2), (1, (4, 2, 3), 24), (32, (5, 5, 5), 4)]
)
def test_threads_of_a_group(simd: int, size: tuple[int, int, int], threads: int) -> None:
    assert thread_payload.thread_count(simd, size) == threads


def test_only_the_last_thread_may_be_partly_filled() -> None:
    masks = [thread_payload.execution_mask(16, (7, 5, 1), t) for t in range(3)]
    assert masks == [0xFFFF, 0xFFFF, 0b111]
    assert thread_payload.execution_mask(16, (16, 2, 1), 1) == 0xFFFF
    assert thread_payload.execution_mask(32, (64, 1, 1), 1) == 0xFFFFFFFF
    assert thread_payload.execution_mask(8, (3, 1, 1), 0) == 0b111


def test_single_item_threads_start_with_all_channels() -> None:
    assert thread_payload.execution_mask(1, (3, 1, 1), 2) == 0xFFFFFFFF


def test_header() -> None:
    words = np.frombuffer(thread_payload.header((7, 0xFFFFFFFF, 9), 5, 63), np.uint32)
    assert words.tolist() == [0, 7, 63 << 24 | 5, 0, 0, 0, 0xFFFFFFFF, 9]


@pytest.mark.parametrize("order", list(itertools.permutations((0, 1, 2))))
@pytest.mark.parametrize("simd", [1, 8, 16, 32])
def test_local_ids_follow_the_walk_order(order: tuple[int, int, int], simd: int) -> None:
    size = (5, 3, 4)
    ids = thread_payload.local_ids(simd, size, order)
    items = []
    for slow, middle, fast in itertools.product(*(range(size[d]) for d in reversed(order))):
        item = [0, 0, 0]
        item[order[0]], item[order[1]], item[order[2]] = fast, middle, slow
        items.append(item)
    lanes = ids.swapaxes(1, 2).reshape(-1, 3).tolist()
    assert lanes[: len(items)] == items


@pytest.mark.parametrize(
    ("order", "full"), [((0, 0, 0), (0, 1, 2)), ((0, 1, 0), (0, 1, 2)), ((1, 0, 0), (1, 0, 2)), ((2, 1, 0), (2, 1, 0))]
)
def test_short_walk_orders_leave_dimensions_out(order: tuple[int, int, int], full: tuple[int, int, int]) -> None:
    size = (5, 3, 4)
    np.testing.assert_array_equal(thread_payload.local_ids(16, size, order), thread_payload.local_ids(16, size, full))


@pytest.mark.parametrize(
    ("target", "simd", "dimensions", "row_bytes"),
    [(PVC, 16, 3, 64), (PVC, 32, 2, 64), (ARC, 8, 3, 32), (ARC, 16, 1, 32), (ARC, 32, 3, 64)],
)
def test_rows_of_local_ids_are_padded_to_registers(target: Target, simd: int, dimensions: int, row_bytes: int) -> None:
    kernel = description(target, simd, dimensions)
    assert kernel.facts.local_id_bytes(kernel.target) == dimensions * row_bytes
    assert thread_payload.cross_thread_offset(kernel) == target.platform.grf_bytes + dimensions * row_bytes
    size = (7, 6, 2)
    rows = thread_payload.per_thread_payload(kernel, size).view(np.uint16).reshape(-1, dimensions, row_bytes // 2)
    np.testing.assert_array_equal(rows[:, :, :simd], thread_payload.local_ids(simd, size, (0, 1, 2))[:, :dimensions])
    assert not rows[:, :, simd:].any()


def test_packed_local_ids_take_one_register() -> None:
    kernel = description(simd_size=1)
    assert kernel.facts.local_id_bytes(kernel.target) == 64
    words = thread_payload.per_thread_payload(kernel, (3, 2, 2)).view(np.uint16)
    assert words[:, :3].tolist() == [[x, y, z] for z in range(2) for y in range(2) for x in range(3)]
    assert not words[:, 3:].any()


def test_no_local_ids_no_registers() -> None:
    kernel = description(dimensions=0)
    assert kernel.facts.local_id_bytes(kernel.target) == 0
    assert thread_payload.cross_thread_offset(kernel) == 64
    assert thread_payload.per_thread_payload(kernel, (20, 1, 1)).shape == (2, 0)
