"""Debug information of a ZEBIN: DWARF line tables that lead from code back to source."""

from zebin.debug.reader import line_tables

__all__ = ["line_tables"]
