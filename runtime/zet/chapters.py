"""Chapters of the reference of the tools API, in its order, for the declarations of its functions."""

from __future__ import annotations

from runtime.ze.declaration import ApiChapters


class ToolsChapter(ApiChapters):
    """Chapters of the reference of the tools API. Those of system management are in `runtime.zes`."""

    INITIALIZATION = "Tools: Initialization"
    METRIC = "Tools: Metrics"
    INSTRUMENTATION = "Tools: Program Instrumentation"
    DEBUG = "Tools: Program Debug"
