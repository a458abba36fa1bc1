"""What is done with the inputs of the fuzzer: everything that can be done with a ZEBIN.

Only `ZebinError` may come out of the package, whatever the input, and findings must hold what they promise.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from tests.unit.zebin.support import SAMPLES
from tests.unit.zebin.test_malformed_ze_info import FULL, file_of
from zebin import Severity, Zebin, ZebinError, is_archive, line_tables, read, read_archive, write
from zebin.dump import as_json, finding_json, json_chunks, tables_of
from zebin.elf.constants import SectionType
from zebin.elf.model import Section

_CUT = {SectionType.SPIRV: 16, SectionType.VISAASM: 16, SectionType.PROGBITS: 192}
"""How much seeds keep of sections in which a change changes nothing."""


def fuzz_file(data: bytes) -> None:
    """A file, perhaps an archive: read, show and write all of it."""
    if is_archive(data):
        try:
            members = read_archive(data)
        except ZebinError:
            return
        for member in members[:4]:
            fuzz_image(bytes(member.data))
    else:
        fuzz_image(data)


def fuzz_image(data: bytes) -> None:
    """One ZEBIN."""
    zebin = _read(data)
    if zebin is None:
        return
    for kernel in zebin.kernels.values():
        assert len(kernel.code) <= len(kernel.text)
    for table in tables_of(zebin):
        list(table.lines())
    json.loads("".join(json_chunks([as_json(zebin), *map(finding_json, zebin.findings)])))
    line_tables(zebin)
    if _is_sound(zebin):
        assert read(write(zebin)).ze_info == zebin.ze_info


def fuzz_ze_info(data: bytes) -> None:
    """The text of `.ze_info` in an otherwise sound file."""
    fuzz_image(file_of(data))


def fuzz_debug_lines(data: bytes) -> None:
    """The contents of `.debug_line` in an otherwise sound file."""
    zebin = read(next(path for path in SAMPLES if path.name == "vadd-debug.pvc.zebin"))
    zebin.elf.sections = [
        replace(section, data=data, size=len(data)) if section.name == ".debug_line" else section
        for section in zebin.elf.sections
    ]
    line_tables(zebin)


TARGETS: Mapping[int, Callable[[bytes], None]] = {
    ord("F"): fuzz_file,
    ord("Y"): fuzz_ze_info,
    ord("D"): fuzz_debug_lines,
}


def run_one(data: bytes) -> None:
    """One input: the first byte names the target."""
    if data:
        target = TARGETS.get(data[0])
        if target is not None:
            target(bytes(data[1:]))


def seeds() -> Iterator[bytes]:
    """Inputs to start from, of every target."""
    for path in SAMPLES:
        zebin = read(path)
        zebin.elf.sections = [_shortened(section) for section in zebin.elf.sections]
        yield b"F" + write(zebin)
        yield b"Y" + b"".join(bytes(s.data) for s in zebin.elf.of_type(SectionType.ZEINFO))
        yield from (b"D" + bytes(s.data) for s in zebin.elf.sections if s.name == ".debug_line")
    yield b"Y" + FULL.encode()
    yield b"F" + file_of(FULL)


def _shortened(section: Section) -> Section:
    kept = _CUT.get(SectionType(section.type), len(section.data))
    if kept >= len(section.data) or section.name.startswith(".debug"):
        return section
    return replace(section, data=section.data[:kept], size=-1)


def _read(data: bytes) -> Zebin | None:
    try:
        zebin = read(data, lenient=True)
    except ZebinError as error:
        assert error.findings
        return None
    assert all(str(finding) for finding in zebin.findings)
    return zebin


def _is_sound(zebin: Zebin) -> bool:
    return all(finding.severity is not Severity.ERROR for finding in zebin.findings)
