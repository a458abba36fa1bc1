"""Parts of the tools APIs that are not supported, and the reasons."""

from __future__ import annotations

from collections.abc import Mapping

from runtime import zet
from runtime.ze.declaration import ApiChapters

TOOLS: tuple[tuple[str, str, str], ...] = (
    ("Initialization", "zetInit", "removed in 1.x; `zeInit` initializes everything"),
)
"""Parts of the tools APIs: their names, their functions, and why they are not supported."""

TESTS_OF_TOOLS: Mapping[ApiChapters, str] = {
    zet.ToolsChapter.METRIC: "tests/unit/runtime/zet/metrics/test_results.py",
    zet.ToolsChapter.INSTRUMENTATION: "tests/unit/runtime/zet/instrumentation/test_instrumentation.py",
    zet.ToolsChapter.DEBUG: "tests/unit/runtime/zet/debug/test_results.py",
}
"""The files whose tests call every function of a chapter, by its name."""
