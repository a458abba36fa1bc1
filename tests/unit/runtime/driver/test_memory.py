"""Memory of the process is read at addresses and sizes that C programs give."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.driver.marshalling.memory import read_bytes
from tests.unit.runtime.ze.expect import fails


def test_bytes_are_copied() -> None:
    data = np.arange(70_000, dtype=np.uint32)
    copy = read_bytes(data.ctypes.data, data.nbytes)
    data[:] = 0
    assert copy == np.arange(70_000, dtype=np.uint32).tobytes()
    assert read_bytes(0, 0) == read_bytes((1 << 64) - 1, 0) == b""


@pytest.mark.parametrize("size", [1 << 40, 1 << 47, (1 << 63) - 1, 1 << 63, (1 << 64) - 1])
def test_bytes_that_the_process_does_not_have_are_refused(size: int) -> None:
    with fails("INVALID_SIZE", f"there are no {size} bytes"):
        read_bytes(np.zeros(8).ctypes.data, size)


@pytest.mark.exhaustive
def test_more_than_two_gib_are_copied() -> None:
    data = np.zeros((1 << 31) + 1, np.uint8)
    data[-1] = 7
    copy = read_bytes(data.ctypes.data, data.nbytes)
    assert len(copy) == data.nbytes
    assert copy[-1] == 7
