"""Line tables: what is written is read back, by us and by pyelftools; broken tables are refused in bounded time."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from elftools.elf.elffile import ELFFile
from hypothesis import given, strategies as st

from tests.unit.zebin.support import CODE, SAMPLES, sample
from xegpu.isa import CompiledKernel, KernelFacts
from xegpu.isa.code.line_table import LineTable, SourcePlace
from xegpu.targets import ARC, PVC
from zebin import DebugOptions, build, line_tables, read, write
from zebin.elf.constants import SectionType

LINE = ".debug_line"
FILES = ("kernel.mlir", "a/b.mlir", "/tmp/ünïcode file.mlir")


def kernel(name: str, lines: LineTable) -> CompiledKernel:
    code = CODE + bytes(lines.end - len(CODE))
    return CompiledKernel(name, KernelFacts(simd_size=16, grf_count=128), code, len(CODE), lines=lines)


locations = st.none() | st.builds(SourcePlace, st.sampled_from(FILES), st.integers(1, 1 << 31), st.integers(0, 1 << 16))


@st.composite
def tables(draw: st.DrawFn) -> LineTable:
    """Tables with at least one known location; offsets are multiples of an instruction's 16 bytes."""
    steps = draw(st.lists(st.integers(1, 300), min_size=1, max_size=30))
    offsets = [0]
    for step in steps:
        offsets.append(offsets[-1] + 16 * step)
    *starts, end = offsets
    rows = [(start, draw(locations)) for start in starts]
    first = draw(locations.filter(lambda location: location is not None))
    return LineTable.of([(0, first), *rows[1:]], end)


@given(st.lists(tables(), min_size=1, max_size=3))
def test_tables_are_read_back(lines: list[LineTable]) -> None:
    kernels = [kernel(f"kernel{number}", table) for number, table in enumerate(lines)]
    found, findings = line_tables(read(build(PVC, kernels), strict=True))
    assert not findings
    assert found == {k.name: k.lines for k in kernels}


@given(tables())
def test_pyelftools_reads_the_same(lines: LineTable) -> None:
    file = ELFFile(io.BytesIO(build(ARC, [kernel("k", lines)])))
    dwarf = file.get_dwarf_info(relocate_dwarf_sections=False)
    (unit,) = dwarf.iter_CUs()
    program = dwarf.line_program_for_CU(unit)
    assert program is not None
    names = [entry.name.decode() for entry in program["file_entry"]]
    states = [entry.state for entry in program.get_entries() if entry.state is not None]
    assert states[-1].end_sequence
    assert states[-1].address == lines.end
    rows = [(s.address, SourcePlace(names[s.file - 1], s.line, s.column) if s.line else None) for s in states[:-1]]
    assert tuple(rows) == lines.rows
    top = unit.get_top_DIE()
    assert top.attributes["DW_AT_comp_dir"].value == b"."
    assert top.attributes["DW_AT_language"].value == 0x8001  # DW_LANG_Mips_Assembler
    (function,) = top.iter_children()
    assert function.attributes["DW_AT_name"].value == b"k"
    declared = next(location for _, location in lines.rows if location is not None)
    assert function.attributes["DW_AT_decl_line"].value == declared.line
    assert top.attributes["DW_AT_high_pc"].value == lines.end


def of_file(path: str) -> CompiledKernel:
    return kernel("k", LineTable(((0, SourcePlace(path, 1, 1)),), 32))


def test_a_kernel_in_two_folders_gives_one_file() -> None:
    folders = ("/home/me/a", "build/very/long")
    assert len({build(PVC, [of_file(f"{folder}/k.mlir")]) for folder in folders}) == 2
    files = {build(PVC, [of_file(f"{folder}/k.mlir")], DebugOptions(prefix_map={folder: "."})) for folder in folders}
    assert len(files) == 1
    ((_, table),) = line_tables(read(files.pop()))[0].items()
    assert str(table.at(0)) == "./k.mlir:1:1"


def test_the_longest_prefix_counts() -> None:
    options = DebugOptions(prefix_map={"/a": "x", "/a/b": "y", "/a/bc": "z"})
    assert [options.path(path) for path in ("/a/b/k", "/a/k", "/b/k")] == ["y/k", "x/k", "/b/k"]


def test_debug_information_can_be_left_out() -> None:
    binary = read(build(PVC, [of_file("k.mlir")], DebugOptions(enabled=False)))
    assert not [section.name for section in binary.sections if "debug" in section.name]


def test_a_location_holds_until_the_next_row() -> None:
    one, two = SourcePlace("k.mlir", 3, 5), SourcePlace("k.mlir", 4, 1)
    table = LineTable(((16, one), (48, two), (64, None)), 96)
    assert [table.at(offset) for offset in (0, 16, 47, 48, 64, 95, 96, -1)] == [
        None,
        one,
        one,
        two,
        None,
        None,
        None,
        None,
    ]


def test_rows_with_one_location_are_joined() -> None:
    location = SourcePlace("k.mlir", 3, 5)
    assert LineTable.of([(0, location), (16, location), (32, None)], 48).rows == ((0, location), (32, None))


def test_kernels_without_sources_have_no_debug_sections() -> None:
    binary = read(build(PVC, [kernel("k", LineTable((), 32))]))
    assert not [section.name for section in binary.sections if "debug" in section.name]
    assert line_tables(binary) == ({}, [])


def test_only_kernels_with_sources_have_tables() -> None:
    known = LineTable(((0, SourcePlace("k.mlir", 1, 1)),), 32)
    binary = read(build(PVC, [kernel("one", LineTable((), 32)), kernel("two", known)]), strict=True)
    assert line_tables(binary)[0] == {"two": known}


def test_the_table_of_intels_compiler() -> None:
    """The rows are those that `readelf --debug-dump=decodedline` and `llvm-dwarfdump --debug-line` print."""
    tables, findings = line_tables(read(sample("vadd-debug.pvc.zebin")))
    assert not findings
    assert list(tables) == ["vadd"]
    table = tables["vadd"]
    assert table.end == 0x3D0
    rows = {0: "2", 0x5F: "2", 0x60: "10:1", 0x188: "8:11", 0x318: "8:9", 0x328: "9:16", 0x3B8: "10:1", 0x3CF: "10:1"}
    assert {offset: str(table.at(offset)) for offset in rows} == {
        offset: f"vadd.cl:{row}" for offset, row in rows.items()
    }


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_rewriting_keeps_the_tables(path: object) -> None:
    binary = read(sample(str(path)), lenient=True)
    assert line_tables(read(write(binary), lenient=True))[0] == line_tables(binary)[0]


def damaged(data: bytes) -> tuple[dict[str, LineTable], list[str]]:
    """Returns the tables and findings of a file whose line table is replaced."""
    binary = read(build(PVC, [kernel("k", LineTable(((0, SourcePlace("k.mlir", 1, 1)),), 32))]))
    sections = [replace(s, data=data, size=-1) if s.name == LINE else s for s in binary.sections]
    assert any(section.type == SectionType.RELA for section in sections)
    tables, findings = line_tables(replace(binary, elf=replace(binary.elf, sections=sections)))
    return tables, [finding.code for finding in findings]


def original() -> bytes:
    binary = read(build(PVC, [kernel("k", LineTable(((0, SourcePlace("k.mlir", 1, 1)),), 32))]))
    section = binary.section(LINE)
    assert section is not None
    return bytes(section.data)


@given(st.integers(0, len(original()) - 1))
def test_a_table_cut_short_is_refused(length: int) -> None:
    tables, codes = damaged(original()[:length])
    assert (tables, codes) == ({}, ["debug.line"] if length else [])


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    damaged(data)


ADDRESS = b"\x00\x09\x02" + bytes(8)
END = b"\x00\x01\x01"


def program(opcodes: bytes) -> bytes:
    """The original line program with other opcodes behind the relocated address of the kernel."""
    content = original()
    start = 10 + int.from_bytes(content[6:10], "little")
    assert content[start:].startswith(ADDRESS)
    opcodes = ADDRESS + opcodes
    return (start - 4 + len(opcodes)).to_bytes(4, "little") + content[4:start] + opcodes


@pytest.mark.parametrize(
    "opcodes",
    [
        b"\x02" + b"\xff" * 300 + b"\x01",
        b"\x01" * (1 << 18),
        b"\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x80",
        b"\x00\x7f\x80",
        b"\x02\x80",
        b"\x02\x10\x01" + ADDRESS + b"\x01" + END,
    ],
    ids=["long number", "many opcodes", "huge opcode", "opcode past the end", "cut number", "addresses go back"],
)
def test_opcodes_that_are_refused(opcodes: bytes) -> None:
    assert damaged(program(opcodes)) == ({}, ["debug.line"])


def test_sequences_of_no_kernel_and_files_without_a_name() -> None:
    """An address without a relocation belongs to no kernel; DW_LNE_define_file may define nothing."""
    row = LineTable(((0, SourcePlace("k.mlir", 1, 0)),), 16)
    first = b"\x01\x02\x10" + END
    assert damaged(program(first)) == ({"k": row}, [])
    assert damaged(program(first + ADDRESS + b"\x00\x02\x03\x00" + b"\x01" + END)) == ({"k": row}, [])


@given(st.data())
def test_mutated_tables_are_read_or_refused(data: st.DataObject) -> None:
    content = bytearray(original())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    damaged(bytes(content))


@pytest.mark.parametrize(
    ("offset", "value"),
    [(4, 5), (4, 1), (0, 0xFF), (14, 0)],
    ids=["version 5", "version 1", "length", "line range"],
)
def test_refusals(offset: int, value: int) -> None:
    content = bytearray(original())
    content[offset] = value
    assert damaged(bytes(content)) == ({}, ["debug.line"])
