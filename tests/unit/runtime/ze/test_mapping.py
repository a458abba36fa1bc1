"""Tests of what the system says about addresses of the process."""

from __future__ import annotations

import ctypes
import mmap

import pytest

from runtime.ze.driver.linux import mapping

PAGE = mmap.PAGESIZE


@pytest.mark.parametrize(
    ("begin", "end", "can_read", "can_write"),
    [(0, 1, True, True), (0, 2, True, True), (1, 3, True, False), (2, 3, True, False), (2, 4, False, False)],
    ids=["a page", "two pages", "the last one is read only", "read only", "the last one is missing"],
)
def test_both_ways_to_ask_agree(begin: int, end: int, can_read: bool, can_write: bool) -> None:
    """The third of four pages is read only, and the fourth is not mapped."""
    with mmap.mmap(-1, 4 * PAGE) as pages:
        whole = ctypes.c_char.from_buffer(pages)
        start = ctypes.addressof(whole)
        del whole
        libc = ctypes.CDLL(None)
        assert libc.mprotect(ctypes.c_void_p(start + 2 * PAGE), PAGE, mmap.PROT_READ) == 0
        mapping.clear(start + 3 * PAGE, PAGE)
        first, size = start + begin * PAGE, (end - begin) * PAGE
        for writes, expected in ((False, can_read), (True, can_write)):
            assert mapping.is_accessible(first + 7, size - 8, writes=writes) == expected
            assert mapping.is_listed(first, first + size, "w" if writes else "r") == expected
        assert libc.mprotect(ctypes.c_void_p(start), 4 * PAGE, mmap.PROT_READ | mmap.PROT_WRITE) == 0


def test_addresses_that_nothing_has() -> None:
    for address in (0, PAGE, (1 << 63) - PAGE, 1 << 63, (1 << 64) - 1):
        assert not mapping.is_accessible(address, 1)
    assert not mapping.is_listed(0, PAGE, "r")
