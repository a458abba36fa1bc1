"""Debug information of a ZEBIN: DWARF line tables, which map code to source locations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xegpu.on_demand import imports_on_demand
from zebin.binary.model import Zebin
from zebin.errors import Finding

with imports_on_demand(globals()):  # pyelftools takes 40 ms to import: not for files without tables
    import zebin.debug.reader as reader
    from zebin.debug.rewriting import RewrittenLines as RewrittenLines, rewritten_lines as rewritten_lines

if TYPE_CHECKING:
    from xegpu.isa.code import LineTable


def line_tables(zebin: Zebin) -> tuple[dict[str, LineTable], list[Finding]]:
    """Returns the line tables by kernel, and the findings about them. Kernels without a table are left out."""
    section = zebin.section(".debug_line")
    if section is None:
        return {}, []
    return reader.read_line_tables(zebin, section)
