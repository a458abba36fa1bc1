"""A ZEBIN as text, tables and JSON."""

from zebin.dump.json import Json, as_json, finding_json, json_chunks, record_json
from zebin.dump.tables import TABLE_PARTS, Table, kernel_tables, tables_of
from zebin.dump.text import hex_lines, inline, printable

__all__ = [
    "TABLE_PARTS",
    "Json",
    "Table",
    "as_json",
    "finding_json",
    "hex_lines",
    "inline",
    "json_chunks",
    "kernel_tables",
    "printable",
    "record_json",
    "tables_of",
]
