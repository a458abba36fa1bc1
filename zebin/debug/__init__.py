"""Debug information of a ZEBIN: DWARF line tables, which map code to source locations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zebin.binary.model import Zebin
from zebin.errors import Finding

if TYPE_CHECKING:
    from xegpu.isa.code import LineTable


def line_tables(zebin: Zebin) -> tuple[dict[str, LineTable], list[Finding]]:
    """Returns the line tables by kernel, and the findings about them. Kernels without a table are left out."""
    section = zebin.section(".debug_line")
    if section is None:
        return {}, []
    from zebin.debug.reader import read_line_tables  # pyelftools takes 40 ms to import: not for files without tables

    return read_line_tables(zebin, section)
