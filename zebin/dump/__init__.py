"""A ZEBIN as text, tables and JSON."""

from zebin.dump.json import (
    Json as Json,
    as_json as as_json,
    finding_json as finding_json,
    json_chunks as json_chunks,
    record_json as record_json,
)
from zebin.dump.tables import (
    TABLE_PARTS as TABLE_PARTS,
    Table as Table,
    grid_tables as grid_tables,
    kernel_tables as kernel_tables,
    tables_of as tables_of,
)
from zebin.dump.text import hex_lines as hex_lines, inline as inline, printable as printable
