"""Fat binaries."""

from __future__ import annotations

import pytest

from tests.unit.zebin.support import DATA, compiled_kernel, sample
from xegpu.targets import ARC, PVC
from zebin import (
    OffloadImage,
    TargetDevice,
    ZebinError,
    build,
    device_images,
    images_for,
    is_archive,
    read,
    write_archive,
)
from zebin.products import GPU_GROUPS

FAT = sample("vadd.fat.ar")


def list_members(archive: bytes) -> list[OffloadImage]:
    return list(device_images(archive))


def name_for(members: list[OffloadImage], device: TargetDevice) -> str:
    return images_for(members, device)[0].name


def member(name: str, data: bytes, size: str | None = None) -> bytes:
    header = f"{name:<16}{0:<12}{0:<6}{0:<6}{'644':<8}{size if size is not None else len(data):<10}`\n"
    return header.encode() + data + b"\n" * (len(data) % 2)


def test_members_are_named_after_their_targets() -> None:
    members = list_members(FAT)
    assert [m.name for m in members] == ["64.12.55.8", "64.12.60.7"]
    assert [read(m.data).target.product_family for m in members] == [1270, 1271]
    assert [bytes(m.data[:4]) for m in members] == [b"\x7fELF"] * 2
    assert all(m.offset and FAT[m.offset : m.offset + len(m.data)] == m.data for m in members)


def test_is_archive() -> None:
    assert is_archive(FAT)
    assert not is_archive(sample("vadd.pvc.zebin"))
    assert not is_archive(b"")


def test_odd_members_and_padding() -> None:
    archive = b"!<arch>\n" + member("pad_0/", b"   ") + member("a/", b"123") + member("b/", b"")
    assert [(m.name, bytes(m.data)) for m in list_members(archive)] == [("a", b"123"), ("b", b"")]


@pytest.mark.parametrize(
    ("data", "code", "offset"),
    [
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
        list_members(data)
    assert caught.value.finding.code == code
    assert offset in (None, caught.value.finding.offset)


def fat(*names: str) -> bytes:
    return b"!<arch>\n" + b"".join(member(f"{name}/", sample("vadd.pvc.zebin")) for name in names)


@pytest.mark.parametrize(
    ("names", "device", "chosen"),
    [
        (("64.12.55.8", "64.12.60.7"), "pvc", "64.12.60.7"),
        (("64.12.55.8", "64.12.60.7"), "arc", "64.12.55.8"),
        (("64.12.55.8", "64.12.60.7"), "12.60.7", "64.12.60.7"),
        (("64.12.60.5", "64.12.60.7"), "12.60.7", "64.12.60.7"),
        (("64.12.60.5", "64.12.60.6"), "12.60.7", "64.12.60.5"),
        (("64.12.60.5", "64.12.60.7"), "12.60", "64.12.60.5"),
        (("64.pvc", "64.pvc.3", "64.12.60.7"), "pvc", "64.12.60.7"),
        (("64.dg2", "64.pvc"), "pvc", "64.pvc"),
        (("64.dg2.1", "64.pvc.2", "64.pvc.3"), "pvc.3", "64.pvc.3"),
        (("64.bmg", "64.pvc.2"), "BMG", "64.bmg"),
        (("64.12.600.7", "64.12.60.7"), "12.60", "64.12.60.7"),
        (("64.12.0.0", "64.12.55.8", "64.9.0.9"), "tgllp", "64.12.0.0"),
        (("64.12.0.0", "64.12.55.8", "64.9.0.9"), "acm-g10", "64.12.55.8"),
        (("64.12.0.0", "64.12.56.5", "64.9.0.9"), "ats-m75", "64.12.56.5"),
        (("64.tgllp.1", "64.skl.9"), "skl", "64.skl.9"),
        (("64.adls", "64.adlp"), "adl-p", "64.adlp"),
    ],
)
def test_the_best_member_for_a_device_is_chosen(names: tuple[str, ...], device: str, chosen: str) -> None:
    assert name_for(list_members(fat(*names)), TargetDevice.parse(device)) == chosen


def test_a_fat_binary_is_read_for_a_device() -> None:
    assert read(FAT, device=TargetDevice.parse("pvc")).target.product_family == 1271
    assert read(DATA / "vadd.fat.ar", device=TargetDevice.parse("arc")).target.product_family == 1270
    assert read(sample("vadd.pvc.zebin"), device=TargetDevice.parse("arc")).target.product_family == 1271


@pytest.mark.parametrize("device", [TargetDevice.parse("mtl-h"), TargetDevice(config=0x03118004), None])
def test_without_a_member_for_the_device_all_are_named(device: TargetDevice | None) -> None:
    with pytest.raises(ZebinError, match=r"one of '64\.12\.55\.8', '64\.12\.60\.7' \[ar\.device\]"):
        read(FAT, device=device)


def test_the_only_member_needs_no_choice() -> None:
    archive = fat("64.12.60.7") + member("generic_ir/", b"\x7fELF")
    assert list(read(archive).kernels) == ["vadd"]


def test_32_bit_members_are_for_others() -> None:
    members = list_members(fat("32.12.60.7", "64.12.60.7"))
    assert name_for(members, TargetDevice.parse("pvc")) == "64.12.60.7"
    assert name_for(members, TargetDevice(0x030F0007, pointer_bits=32)) == "32.12.60.7"


@pytest.mark.parametrize(
    "name", ["", "!", "12", "12.600.7", "1024.1.1", "12.60.64", "a b", "xyz", "xyz.3", "a" * 100_000]
)
def test_a_name_of_no_device(name: str) -> None:
    with pytest.raises(ValueError, match="unknown GPU"):
        TargetDevice.parse(name)


def test_a_name_close_to_that_of_a_device() -> None:
    with pytest.raises(ValueError, match="perhaps tgllp"):
        TargetDevice.parse("tgl-lp")


def test_a_name_of_several_devices() -> None:
    with pytest.raises(ValueError, match="stands for several GPUs: expected one of acm-g10, acm-g11, acm-g12"):
        TargetDevice.parse("xe-hpg")


def test_the_devices_of_a_generation_are_devices() -> None:
    for names in GPU_GROUPS.values():
        assert all(TargetDevice.parse(name).config for name in names)


def test_members_of_the_tool_ar() -> None:
    """It writes names that are too long into a member of their own, and an index of symbols."""
    long = "64.12.60.7.with_more_than_sixteen"
    archive = b"!<arch>\n" + member("/", b"\0\0\0\0") + member("//", f"x/\n{long}/\n".encode()) + member("/3", b"12")
    assert [(m.name, bytes(m.data)) for m in list_members(archive)] == [(long, b"12")]
    assert [m.name for m in list_members(b"!<arch>\n" + member("/99", b"12"))] == [""]


def test_what_is_written_is_read() -> None:
    binaries = {TargetDevice.of_target(target).member_name: build(target, [compiled_kernel()]) for target in (PVC, ARC)}
    assert list(binaries) == ["64.12.60.7", "64.12.55.8"]
    archive = write_archive(binaries)
    members = list_members(archive)
    assert {m.name: bytes(m.data) for m in members} == binaries
    assert all(m.offset and m.offset % 8 == 0 for m in members)
    assert read(archive, device=TargetDevice.parse("arc")).target.product_family == 1270
    assert write_archive(binaries) == archive


@pytest.mark.parametrize("sizes", [(1, 2, 3), (7, 8, 9), (0, 1)])
def test_members_of_any_size_are_aligned(sizes: tuple[int, ...]) -> None:
    contents = {f"m{n}": b"x" * size for n, size in enumerate(sizes)}
    members = list_members(write_archive(contents))
    assert {m.name: bytes(m.data) for m in members} == contents
    assert all(m.offset and m.offset % 8 == 0 for m in members)


def test_an_archive_of_the_compiler_is_written_as_it_was() -> None:
    members = {m.name: bytes(m.data) for m in list_members(FAT)}
    assert {m.name: bytes(m.data) for m in list_members(write_archive(members))} == members


@pytest.mark.parametrize("name", ["", "a/b", "x" * 16])
def test_a_name_that_does_not_fit(name: str) -> None:
    with pytest.raises(ValueError, match="is not a valid member name"):
        write_archive({name: b""})
