"""Fat binaries."""

from __future__ import annotations

import pytest

from tests.unit.zebin.support import sample
from zebin import ZebinError, is_archive, read, read_archive

FAT = sample("vadd.fat.ar")


def member(name: str, data: bytes, size: str | None = None) -> bytes:
    header = f"{name:<16}{0:<12}{0:<6}{0:<6}{'644':<8}{size if size is not None else len(data):<10}`\n"
    return header.encode() + data + b"\n" * (len(data) % 2)


def test_members_are_named_after_their_targets() -> None:
    members = read_archive(FAT)
    assert [m.name for m in members] == ["64.12.55.8", "64.12.60.7"]
    assert [read(m.data).target.product_family for m in members] == [1270, 1271]
    assert [bytes(m.data[:4]) for m in members] == [b"\x7fELF"] * 2
    assert all(FAT[m.offset : m.offset + len(m.data)] == m.data for m in members)


def test_is_archive() -> None:
    assert is_archive(FAT)
    assert not is_archive(sample("vadd.pvc.zebin"))
    assert not is_archive(b"")


def test_odd_members_and_padding() -> None:
    archive = b"!<arch>\n" + member("pad_0/", b"   ") + member("a/", b"123") + member("b/", b"")
    assert [(m.name, bytes(m.data)) for m in read_archive(archive)] == [("a", b"123"), ("b", b"")]


@pytest.mark.parametrize(
    ("data", "code", "offset"),
    [
        (b"!<arch>", "ar.magic", 0),
        (b"!<arch>\nshort", "ar.header", 8),
        (b"!<arch>\n" + member("a/", b"1234").replace(b"`\n", b"xx"), "ar.header", 8),
        (b"!<arch>\n" + member("a/", b"1234", size="-4"), "ar.size", 56),
        (b"!<arch>\n" + member("a/", b"1234", size=""), "ar.size", 56),
        (b"!<arch>\n" + member("a/", b"1234", size="9999999999"), "ar.bounds", 8),
        (FAT[:-2], "ar.bounds", None),
    ],
)
def test_broken_archives(data: bytes, code: str, offset: int | None) -> None:
    with pytest.raises(ZebinError) as caught:
        read_archive(data)
    assert caught.value.finding.code == code
    assert offset in (None, caught.value.finding.offset)
