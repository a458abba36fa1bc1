"""Diagnostics (specification: Sysman diagnostics): tests that write memory of the card and read it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from runtime.ze.declaration import api
from runtime.ze.driver import Device, live, unsigned
from runtime.zes.chapters import GETS, SETS, SysmanChapter
from runtime.zes.spec import (
    ZES_DIAG_LAST_TEST_INDEX,
    zes_diag_properties_t,
    zes_diag_result_t,
    zes_diag_test_t,
)
from runtime.zes.system.access import card_of, invalid, require_rights
from runtime.zes.system.components import DiagnosticSuite, components

_NAME = "MEMORY"

_BYTES = 1 << 20


def _patterns(words: NDArray[np.uint64]) -> bool:
    """Returns whether alternating bits read back as they were written."""
    found = True
    for pattern in (0x5555555555555555, 0xAAAAAAAAAAAAAAAA, 0, 0xFFFFFFFFFFFFFFFF):
        words[:] = np.uint64(pattern)
        found &= bool((words == np.uint64(pattern)).all())
    return found


def _addresses(words: NDArray[np.uint64]) -> bool:
    """Returns whether each word keeps its own number."""
    numbers = np.arange(words.size, dtype=np.uint64)
    words[:] = numbers
    return bool((words == numbers).all())


_TESTS: Mapping[str, Callable[[NDArray[np.uint64]], bool]] = {"patterns": _patterns, "addresses": _addresses}


@api(SysmanChapter.DIAGNOSTICS, GETS, seed="zetSysmanDiagnosticsGet")
def zesDeviceEnumDiagnosticTestSuites(hDevice: Device) -> list[DiagnosticSuite]:
    """Returns the suites: one for the memory."""
    return components(card_of(hDevice), DiagnosticSuite)


@api(SysmanChapter.DIAGNOSTICS, seed="zetSysmanDiagnosticsGetProperties")
def zesDiagnosticsGetProperties(hDiagnostics: DiagnosticSuite) -> zes_diag_properties_t:
    """Returns the name of a suite."""
    suite = live(hDiagnostics, DiagnosticSuite)
    return zes_diag_properties_t(suite.onSubdevice, suite.subdeviceId, _NAME, True)


@api(SysmanChapter.DIAGNOSTICS, seed="zetSysmanDiagnosticsGetTests")
def zesDiagnosticsGetTests(hDiagnostics: DiagnosticSuite) -> list[zes_diag_test_t]:
    """Returns the tests of a suite."""
    live(hDiagnostics, DiagnosticSuite)
    return [zes_diag_test_t(index, name) for index, name in enumerate(_TESTS)]


@api(SysmanChapter.DIAGNOSTICS, SETS.partition(" ")[0], seed="zetSysmanDiagnosticsRunTests")
def zesDiagnosticsRunTests(hDiagnostics: DiagnosticSuite, startIndex: int, endIndex: int) -> zes_diag_result_t:
    """Runs the tests from one index to another one, which `ZES_DIAG_LAST_TEST_INDEX` may stand for.

    Raises:
        ZeError: `INVALID_ARGUMENT` if there are no such tests.
    """
    suite = live(hDiagnostics, DiagnosticSuite)
    start, end = unsigned(startIndex, "startIndex"), unsigned(endIndex, "endIndex")
    require_rights("run diagnostics")
    last = len(_TESTS) - 1 if end == ZES_DIAG_LAST_TEST_INDEX else end
    if not start <= last < len(_TESTS):
        raise invalid(f"tests {start} to {end}, there are 0 to {len(_TESTS) - 1}")
    memory = suite.card.machine.memory
    try:
        block = memory.allocate(_BYTES, 64, "device", "diagnostics")
    except MemoryError:
        return zes_diag_result_t.ZES_DIAG_RESULT_ABORT
    try:
        words = block.data.view(np.uint64)
        passed = [test(words) for test in tuple(_TESTS.values())[start : last + 1]]
    finally:
        memory.free(block)
    results = zes_diag_result_t
    return results.ZES_DIAG_RESULT_NO_ERRORS if all(passed) else results.ZES_DIAG_RESULT_FAIL_CANT_REPAIR
