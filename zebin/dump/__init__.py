"""A ZEBIN in words, tables and JSON, for people and for other tools."""

from zebin.dump.hexdump import hex_lines
from zebin.dump.json import Json, as_json, finding_json
from zebin.dump.tables import Table, printable, tables_of

__all__ = ["Json", "Table", "as_json", "finding_json", "hex_lines", "printable", "tables_of"]
