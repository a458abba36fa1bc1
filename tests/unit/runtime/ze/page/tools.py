"""The tests of the tools APIs."""

from __future__ import annotations

from collections.abc import Mapping

from runtime import zet
from runtime.ze.declaration import ApiChapters

TESTS_OF_TOOLS: Mapping[ApiChapters, str] = {
    zet.ToolsChapter.INITIALIZATION: "tests/unit/runtime/ze/seed/test_seed.py",
    zet.ToolsChapter.METRIC: "tests/unit/runtime/zet/metrics/test_results.py",
    zet.ToolsChapter.INSTRUMENTATION: "tests/unit/runtime/zet/instrumentation/test_instrumentation.py",
    zet.ToolsChapter.DEBUG: "tests/unit/runtime/zet/debug/test_results.py",
}
"""The files whose tests call every function of a chapter, by its name."""
