"""Reading any bytes ends in findings, never in another exception, and costs little."""

from __future__ import annotations

import json
import tracemalloc

import pytest
from hypothesis import given, settings, strategies as st

from tests.amounts import examples
from tests.unit.zebin.support import SAMPLES, container, findings
from tests.unit.zebin.test_malformed_ze_info import FULL, file_of
from zebin import FindingSeverity, ZebinError, device_images, is_archive, read, write
from zebin.dump import as_json, json_chunks, tables_of
from zebin.elf.model import Symbol

FILES = [path.read_bytes() for path in SAMPLES if path.stat().st_size < 20_000] + [file_of(FULL)]
SLICES = st.sampled_from((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff", b"\1\0\0\0", b"\xff" * 8, b"\0" * 8))
WORDS = st.sampled_from(
    ("- ", ": ", "&a ", "*a", "!!x ", "'", '"', "[", "]", "{", "\t", "\n", "  ", "-1", "9" * 30, "# ")
)


@st.composite
def damaged_files(draw: st.DrawFn) -> bytes:
    """A real file with a few bytes or words overwritten, a part repeated, or its end cut off."""
    data = bytearray(draw(st.sampled_from(FILES)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data) - 1))
        match draw(st.integers(0, 4)):
            case 0:
                data[at] = draw(st.integers(0, 255))
            case 1:
                new = draw(SLICES)
                data[at : at + len(new)] = new
            case 2:
                head = draw(st.integers(0, min(63, len(data) - 1)))
                data[head] = draw(st.integers(0, 255))
            case 3:
                del data[max(at, 1) :]
            case _:
                other = draw(st.integers(0, len(data) - 1))
                data[at : at + 64] = data[other : other + 64]
    return bytes(data)


def exercise(data: bytes) -> None:
    """Read the file and show all of it; a file without errors survives writing."""
    try:
        zebin = read(data, lenient=True)
    except ZebinError:
        return
    assert all(str(finding) for finding in zebin.findings)
    for kernel in zebin.kernels.values():
        assert len(kernel.code) <= len(kernel.text)
    assert all(list(table.lines()) for table in tables_of(zebin))
    assert json.loads("".join(json_chunks(as_json(zebin))))
    if all(finding.severity is not FindingSeverity.ERROR for finding in zebin.findings):
        assert read(write(zebin)).ze_info == zebin.ze_info


@settings(max_examples=examples(300), deadline=None)
@given(damaged_files())
def test_damaged_files(data: bytes) -> None:
    exercise(data)


@settings(max_examples=examples(100), deadline=None)
@given(st.binary(max_size=200), st.booleans())
def test_random_bytes(data: bytes, with_magic: bool) -> None:
    exercise((b"\x7fELF\x02\x01\x01\0\x01" if with_magic else b"") + data)


@settings(max_examples=examples(200), deadline=None)
@given(st.data())
def test_damaged_text(data: st.DataObject) -> None:
    text = FULL
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        word = data.draw(WORDS)
        length = data.draw(st.integers(0, 10))
        text = text[:at] + word + text[at + length :]
    exercise(file_of(text))


@settings(max_examples=examples(100), deadline=None)
@given(st.binary(max_size=200))
def test_damaged_archives(data: bytes) -> None:
    archive = b"!<arch>\n" + data
    assert is_archive(archive)
    try:
        members = list(device_images(archive))
    except ZebinError:
        return
    assert sum(len(member.data) for member in members) <= len(archive)


HEAD = "version: '1.61'\nkernels:\n"
GREEDY = {
    "many keys": HEAD + "".join(f"key{n}: {n}\n" for n in range(100_000)),
    "many small items": HEAD + "  - a: 1\n" * 200_000,
    "many small arguments": HEAD + "  - name: k\n    payload_arguments:\n" + "      - a: 1\n" * 150_000,
    "many small kernels": HEAD
    + "  - name: k\n    execution_env:\n      grf_count: 128\n      simd_size: 16\n" * 40_000,
    "long inline list": HEAD + "  - name: k\n    x: [" + "1," * 400_000 + "1]\n",
    "long unknown list": HEAD + "future:\n" + "  - a: 1\n" * 150_000,
}


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("text", GREEDY.values(), ids=GREEDY)
def test_memory_stays_in_proportion_to_the_file(text: str) -> None:
    """Without limits, the trees of these texts take tens of times the space of the text."""
    data = file_of(text)
    tracemalloc.start()
    try:
        found = findings(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert any(finding.severity is FindingSeverity.ERROR for finding in found)
    assert peak < 4 * len(data) + 40_000_000


@pytest.mark.exhaustive
def test_a_table_of_symbols_is_not_held() -> None:
    data = container("---\n...\n", symbols=[Symbol("")] * 100_000)
    tracemalloc.start()
    try:
        assert len(read(data).symbols) == 100_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < len(data) // 2
