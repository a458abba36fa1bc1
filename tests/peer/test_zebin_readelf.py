"""`readelf` reads our ELF files, and samples as we do."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.zebin.support import SAMPLES, compiled_kernel
from xegpu.isa.code.line_table import LineTable, SourcePlace
from xegpu.targets import PVC
from zebin import build, line_tables, read, write

pytestmark = pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf is not installed (binutils)")

SECTION = re.compile(r"\s*\[ *(\d+)\] (\S*) +(\S+) +[0-9a-f]{8,16} ([0-9a-f]+) ([0-9a-f]+) ")
SYMBOL = re.compile(r" *(\d+): ([0-9a-f]+) +(\d+) (\w+) +(\w+) +\w+ +(\w+) ?(.*)")
RELOCATION = re.compile(r"([0-9a-f]+) +([0-9a-f]+) ")


def readelf(option: str, path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["readelf", option, str(path)], capture_output=True, text=True, check=True)


def rows(pattern: re.Pattern[str], text: str) -> list[tuple[str, ...]]:
    return [match.groups() for match in map(pattern.match, text.splitlines()) if match]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_sections_symbols_and_relocations_are_the_same(path: Path) -> None:
    zebin = read(path)
    sections = rows(SECTION, readelf("-SW", path).stdout)
    assert [(name, int(offset, 16), int(size, 16)) for _, name, _, offset, size, *_ in sections] == [
        (section.name, section.offset, section.size) for section in zebin.sections
    ]
    symbols = rows(SYMBOL, readelf("-sW", path).stdout)
    assert [(int(value, 16), int(size), kind, binding, name) for _, value, size, kind, binding, _, name in symbols] == [
        (symbol.value, symbol.size, symbol.type_name, symbol.binding_name, symbol.name) for symbol in zebin.symbols
    ]
    relocations = rows(RELOCATION, readelf("-rW", path).stdout)
    shift = zebin.elf.elf_class.layouts.symbol_shift
    assert [(int(offset, 16), int(info, 16)) for offset, info in relocations] == [
        (entry.offset, entry.symbol << shift | entry.type)
        for entries in zebin.relocations.values()
        for entry in entries
    ]


def test_what_we_build_and_rewrite_has_no_fault_that_readelf_knows(tmp_path: Path) -> None:
    files = {"built": build(PVC, [compiled_kernel("a"), compiled_kernel("b")])}
    files |= {path.stem: write(read(path)) for path in SAMPLES}
    for name, data in files.items():
        path = tmp_path / name
        path.write_bytes(data)
        for option in ("-hW", "-SW", "-sW", "-rW"):
            assert readelf(option, path).stderr == ""


def test_the_line_table_is_what_readelf_decodes(tmp_path: Path) -> None:
    lines = LineTable.of([(0, SourcePlace("k.mlir", 3, 1)), (16, SourcePlace("k.mlir", 700, 9)), (64, None)], 96)
    path = tmp_path / "built"
    path.write_bytes(build(PVC, [replace(compiled_kernel("a"), code=bytes(96), lines=lines)]))
    decoded = readelf("--debug-dump=decodedline", path).stdout
    rows = re.findall(r"^k\.mlir +(\d+|-) +(\w+)", decoded, re.MULTILINE)
    assert rows == [("3", "0"), ("700", "0x10"), ("0", "0x40"), ("-", "0x60")]


def test_the_line_table_of_intels_compiler_is_what_readelf_decodes() -> None:
    (path,) = (path for path in SAMPLES if path.stem == "vadd-debug.pvc")
    decoded = subprocess.run(
        ["readelf", "--debug-dump=decodedline", str(path)], capture_output=True, text=True, check=False
    ).stdout  # it complains of the machine's relocations
    rows = re.findall(r"^vadd\.cl +(\d+) +(\w+)", decoded, re.MULTILINE)
    table = line_tables(read(path))[0]["vadd"]
    assert len(rows) > 10
    for line, address in rows:
        location = table.at(int(address, 16))
        assert location is not None
        assert location.line == int(line)
