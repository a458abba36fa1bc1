"""The targets of the fuzzer: everything that can be done with a ZEBIN.

Only `ZebinError` may come out of the package, whatever the input, and findings must hold what they promise.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from xml.etree import ElementTree

from tests.unit.zebin.support import SAMPLES
from tests.unit.zebin.test_malformed_ze_info import FULL, file_of
from zebin import FindingSeverity, Zebin, ZebinError, device_images, is_container, line_tables, read, write
from zebin.diff import diff
from zebin.dump import as_json, finding_json, json_chunks, tables_of
from zebin.editing import EditError, edit, parse_value
from zebin.elf.constants import SectionType
from zebin.elf.model import Section
from zebin.pictures import map_svg, map_table, memory_map, payload_lines, payload_of, payload_svg

REFERENCE = read(next(path for path in SAMPLES if path.name == "multi.pvc.zebin"))

EDITS = (
    ("kernels[k].execution_env.grf_count", "256"),
    ("kernels[0].user_attributes.reqd_work_group_size", "[16, 4, 2]"),
    ("kernels[0].payload_arguments[1]", '{"arg_type": "work_dimensions", "offset": 88, "size": 4}'),
    ("kernels[0].payload_arguments", '{"arg_type": "work_dimensions", "offset": 88, "size": 4}'),
    ("kernels[0].binding_table_indices[0]", ""),
    ("kernels_misc_info[k].args_info[a].type_name", "'#:\""),
    ("l1_cache_policy", "wb"),
    ("functions", ""),
)

_CUT = {SectionType.SPIRV: 16, SectionType.VISAASM: 16, SectionType.PROGBITS: 192}
"""The bytes that seeds keep of sections in which a change changes nothing."""

_SHORT = 5_000
"""Bytes of a file up to which it is a seed of the slower targets as well."""


def fuzz_file(data: bytes) -> None:
    """A file, perhaps with device code inside: read, show and write all of it."""
    if is_container(data):
        try:
            for image in islice(device_images(data), 4):
                fuzz_image(bytes(image.data))
        except ZebinError:
            return
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


def fuzz_differences(data: bytes) -> None:
    """A file compared with itself and with a sound one."""
    zebin = _read(data)
    if zebin is not None:
        assert diff(zebin, zebin) == []
        assert all(change.subject for change in diff(REFERENCE, zebin))


def fuzz_pictures(data: bytes) -> None:
    """All pictures; every byte of the file has a place in its map."""
    zebin = _read(data)
    if zebin is None:
        return
    regions = memory_map(zebin, data)
    if _is_sound(zebin):
        assert sum(region.size for region in regions) == len(data)
    list(map_table(regions, "map").lines())
    ElementTree.fromstring("".join(map_svg(regions, "map")))
    payloads = [payload_of(kernel) for kernel in zebin.kernels.values()]
    for payload in payloads:
        list(payload_lines(payload))
    ElementTree.fromstring("".join(payload_svg(payloads)))


def fuzz_edit(data: bytes) -> None:
    """Edits: a path and a value, each on a line, then the text of `.ze_info`."""
    path, _, rest = data.partition(b"\n")
    value, _, text = rest.partition(b"\n")
    binary = file_of(text)
    for operation in ("set", "append", "delete"):
        try:
            editor = edit(binary)
            words = path.decode(errors="replace")
            if operation == "delete":
                editor.delete(words)
            else:
                getattr(editor, operation)(words, parse_value(words, value.decode(errors="replace")))
            edited = editor.binary(force=True)
            editor.binary()
        except (EditError, ZebinError):
            continue
        check_untouched(binary, edited)


def check_untouched(before: bytes, after: bytes) -> None:
    """Everything but `.ze_info` is as before, and at an alignment as before."""
    old, new = read(before, lenient=True), read(after, lenient=True)
    for section, other in zip(old.sections, new.sections, strict=True):
        if section.type != SectionType.ZEINFO:
            assert bytes(section.data) == bytes(other.data)
            assert (section.offset - other.offset) % 8 == 0
    old.ze_info = new.ze_info = None
    assert all(change.subject == "file" for change in diff(old, new))


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
    ord("C"): fuzz_differences,
    ord("P"): fuzz_pictures,
    ord("Y"): fuzz_ze_info,
    ord("D"): fuzz_debug_lines,
    ord("E"): fuzz_edit,
}


def run_one(data: bytes) -> None:
    """One input: the first byte names the target. No other program is started for it."""
    os.environ["PATH"] = ""
    if data:
        target = TARGETS.get(data[0])
        if target is not None:
            target(bytes(data[1:]))


def seeds() -> Iterator[bytes]:
    """Inputs to start from, of every target."""
    for path in SAMPLES:
        zebin = read(path)
        zebin.elf.sections = [_shortened(section) for section in zebin.elf.sections]
        file = write(zebin)
        yield from (target + file for target in ((b"F", b"C", b"P") if len(file) < _SHORT else (b"F",)))
        yield b"Y" + b"".join(bytes(s.data) for s in zebin.elf.of_type(SectionType.ZEINFO))
        yield from (b"D" + bytes(s.data) for s in zebin.elf.sections if s.name == ".debug_line")
    for key, value in EDITS:
        yield b"E" + f"{key}\n{value}\n{FULL}".encode()
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
    except ZebinError:
        return None
    assert all(str(finding) for finding in zebin.findings)
    return zebin


def _is_sound(zebin: Zebin) -> bool:
    return all(finding.severity is not FindingSeverity.ERROR for finding in zebin.findings)
