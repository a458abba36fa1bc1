"""Initialization of the tools API (specification 0.91: Driver); 1.x has none of its own."""

from __future__ import annotations

from runtime import ze
from runtime.ze.declaration import api
from runtime.zet.chapters import ToolsChapter


@api(ToolsChapter.INITIALIZATION, "UNINITIALIZED", since=(0, 91))
def zetInit(flags: int = 0) -> None:
    """Does what `zeInit` does.

    Raises:
        ZeError: `UNINITIALIZED` as for `zeInit`.
    """
    ze.zeInit(flags)
