"""Pictures: every byte is in them, where it belongs."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.unit.zebin.support import DATA, SAMPLES, container
from tests.unit.zebin.test_malformed_ze_info import FULL, file_of
from zebin import ZebinKernel, read
from zebin.pictures import map_svg, map_table, memory_map, payload_lines, payload_of, payload_svg
from zebin.rules.arguments import PAYLOAD_LIMIT

SVG = "{http://www.w3.org/2000/svg}"


def payload_kernel(arguments: str) -> ZebinKernel:
    text = (
        "version: '1.61'\nkernels:\n  - name: k\n    execution_env:\n      grf_count: 128\n      simd_size: 16\n"
        f"    payload_arguments:\n{arguments}"
    )
    return read(container(text), lenient=True).kernels["k"]


def slot(offset: int, size: int, kind: str = "local_size") -> str:
    return f"      - arg_type: {kind}\n        offset: {offset}\n        size: {size}\n"


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_byte_of_a_file_is_in_its_map(path: Path) -> None:
    data = path.read_bytes()
    zebin = read(data)
    regions = memory_map(zebin, data)
    ends = [0, *(region.end for region in regions)]
    assert [region.start for region in regions] == ends[:-1]
    assert ends[-1] == len(data)
    for kernel in zebin.kernels.values():
        code = next(region for region in regions if region.name == kernel.section.name)
        assert (code.start, code.size) == (kernel.section.offset, len(kernel.code))
    lines = list(map_table(regions, "map").lines())
    assert len(lines) == len(regions) + 2
    assert all(line.count("|") == 2 for line in lines[2:])
    drawing = ElementTree.fromstring("\n".join(map_svg(regions, path.name)))
    words = [text.text for text in drawing.iter(f"{SVG}text")]
    assert all(region.name in words for region in regions)


def test_the_map_of_a_broken_file_shows_what_overlaps() -> None:
    data = bytearray(file_of(FULL))
    zebin = read(bytes(data))
    first, second = zebin.sections[1], zebin.sections[2]
    header = data.rindex(second.offset.to_bytes(8, "little") + second.size.to_bytes(8, "little"))
    data[header : header + 8] = (first.offset + 8).to_bytes(8, "little")
    broken = read(bytes(data), lenient=True)
    names = [region.name for region in memory_map(broken, bytes(data))]
    assert {first.name, second.name} <= set(names)


def test_payload_of_a_sample() -> None:
    payload = payload_of(read(DATA / "vadd.dg2.zebin").kernels["vadd"])
    assert payload.size == 96
    assert payload.per_thread_size == 192
    assert payload.inline_size == 32
    assert list(payload_lines(payload)) == [
        "Payload of kernel vadd: 96 bytes, 32 of them inline, and 192 for each thread:",
        "          0    4    8    12   16   20   24   28",
        "  0x0000  aaaa aaaa aaaa bbbb bbbb bbbb .... ....",
        "  0x0020  cccc cccc dddd dddd eeee eeee ffff ....",
        "  0x0040  gggg gggg gggg .... .... .... .... ....",
        "  mark    offset  size  content              argument",
        "  a            0    12  global_id_offset",
        "  b           12    12  local_size",
        "  c           32     8  buffer_address       a",
        "  d           40     8  buffer_address       b",
        "  e           48     8  buffer_address       c",
        "  f           56     4  arg_byvalue          n",
        "  g           64    12  enqueued_local_size",
        "  thread       0   192  local_id",
        "",
    ]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_byte_of_a_payload_is_drawn(path: Path) -> None:
    for kernel in read(path).kernels.values():
        payload = payload_of(kernel)
        assert payload.size % 32 == 0
        assert not payload.misplaced
        drawing = ElementTree.fromstring("\n".join(payload_svg([payload])))
        boxes = [box for box in drawing.iter(f"{SVG}rect") if box.find(f"{SVG}title") is not None]
        widths = sum(float(box.attrib["width"]) for box in boxes)
        slots = [*payload.cross_thread, *payload.per_thread]
        assert widths == 22 * sum(slot.size for slot in slots)


def test_pieces_of_a_value_are_told_apart() -> None:
    kernel = read(DATA / "yaml_names.pvc.zebin").kernels["pieces"]
    assert {slot.label for slot in payload_of(kernel).cross_thread} >= {"v", "v+6", "v+8"}


def test_facts_about_images_name_the_image() -> None:
    labels = [slot.label for slot in payload_of(read(DATA / "img_blur.dg2.zebin").kernels["img_info"]).cross_thread]
    assert labels[2:5] == ["out", "vol height", "arr height"]


def test_bytes_of_two_slots_are_marked() -> None:
    lines = list(payload_lines(payload_of(payload_kernel(slot(0, 8) + slot(4, 8)))))
    assert lines[2] == "  0x0000  aaaa #### bbbb .... .... .... .... ...."


def test_equal_lines_are_shown_once() -> None:
    lines = list(payload_lines(payload_of(payload_kernel(slot(0, 4) + slot(1020, 4)))))
    assert lines[2:6] == [
        "  0x0000  aaaa .... .... .... .... .... .... ....",
        "  0x0020  .... .... .... .... .... .... .... ....",
        "  *",
        "  0x03e0  .... .... .... .... .... .... .... bbbb",
    ]


@pytest.mark.parametrize(("offset", "size"), [(-4, 8), (0, -1), (65535, 1), (0, 1 << 30), (2**31 - 1, 2**31 - 1)])
def test_slots_outside_of_any_payload_are_listed_only(offset: int, size: int) -> None:
    payload = payload_of(payload_kernel(slot(0, 12) + slot(offset, size)))
    assert payload.size == 32
    assert [(slot.offset, slot.size) for slot in payload.misplaced] == [(offset, size)]
    assert any(line.startswith("  outside") for line in payload_lines(payload))
    assert "outside: local_size" in "".join(payload_svg([payload]))


def test_a_hostile_payload_takes_no_time() -> None:
    payload = payload_of(payload_kernel(slot(0, PAYLOAD_LIMIT) * 2000))
    assert len(payload.cross_thread) == 16
    assert len(list(payload_lines(payload))) < 2100
    payloads = [payload] * 1000
    assert "more kernels are not drawn" in "".join(payload_svg(payloads))


def test_names_of_files_do_not_break_pictures() -> None:
    zebin = read(file_of(FULL))
    zebin.sections[2].name = '<&"\x00\x1b'
    drawn = "".join(map_svg(memory_map(zebin, file_of(FULL)), "]]>"))
    assert '<&"\\x00\\x1b' in [text.text for text in ElementTree.fromstring(drawn).iter(f"{SVG}text")]
