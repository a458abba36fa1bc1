"""Device code inside other files: every container that compilers write, nested ones, broken ones and hostile ones."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import llvmlite.binding as llvm
import pytest

from passes.frontends.spirv import assemble
from runtime import Device, ZeError
from tests.unit.zebin.support import DATA, compiled_kernel, sample
from tools import xegpu_run, zebin_dump, zebin_edit
from xegpu.targets import ARC as ARC_TARGET, PVC as PVC_TARGET
from zebin import (
    ForeignFileError,
    TargetDevice,
    ZebinError,
    build,
    demangled,
    device_images,
    image_in,
    images_for,
    is_container,
    read,
    spirv_kernels,
    write_archive,
)
from zebin.containers.compression import zstd
from zebin.containers.image import Budget
from zebin.products import config_word

PVC, DG2 = sample("vadd.pvc.zebin"), sample("vadd.dg2.zebin")
SPIRV = b"\x03\x02\x23\x07" + bytes(60)
TEXELS = (DATA.parent / "native" / "texels-today.dg2.zebin").read_bytes()
PADDED = PVC + bytes(-len(PVC) % 8)
FAT = write_archive({"64.12.60.7": PVC, "64.dg2": DG2})
SPIRV_PROGRAM = """
               OpCapability Kernel
               OpCapability Addresses
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %f "fill"
               OpName %x "x"
       %uint = OpTypeInt 32 0
       %void = OpTypeVoid
        %ptr = OpTypePointer CrossWorkgroup %uint
      %seven = OpConstant %uint 7
         %ft = OpTypeFunction %void %ptr
          %f = OpFunction %void None %ft
          %x = OpFunctionParameter %ptr
      %start = OpLabel
               OpStore %x %seven Aligned 4
               OpReturn
               OpFunctionEnd
"""
VADD = str(DATA / "vadd.pvc.zebin")
BASE = 0x10000


def host(
    sections: Mapping[str, tuple[int, int, bytes]], machine: int = 62, relocations: Sequence[tuple[int, int]] = ()
) -> bytes:
    """A file of the host. A section's name has its type, its flags and its bytes; addresses are `BASE` + offset."""
    parts = dict(sections)
    if relocations:
        table = b"".join(struct.pack("<QQq", at, 8, value) for at, value in relocations)
        parts[".rela.dyn"] = (4, 2, table)
    names = b"\0" + b"\0".join(name.encode() for name in parts) + b"\0.shstrtab\0"
    body, headers, at = b"", [bytes(64)], 64
    for name, (kind, flags, data) in {**parts, ".shstrtab": (3, 0, names)}.items():
        start = names.index(b"\0" + name.encode() + b"\0") + 1
        address = BASE + at if flags & 2 else 0
        headers.append(struct.pack("<IIQQQQIIQQ", start, kind, flags, address, at, len(data), 0, 0, 8, 0))
        padded = data + bytes(-len(data) % 8)
        body += padded
        at += len(padded)
    ident = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    count = len(headers)
    header = struct.pack("<HHIQQQIHHHHHH", 3, machine, 1, 0, 0, at, 0, 64, 56, 0, 64, count, count - 1)
    return ident + header + body + b"".join(headers)


def sycl_program(*images: bytes, version: int = 3, target: bytes = b"spir64_gen", is_relocated: bool = True) -> bytes:
    """A program as a SYCL compiler makes it: images in a section, and a description of each in the data."""
    texts = target + b"\0"
    section = b"".join(image + bytes(-len(image) % 8) for image in images)
    texts_at = BASE + 64
    images_at = texts_at + len(texts) + -len(texts) % 8
    data_at = images_at + len(section)
    described, patches, at = b"", [], images_at
    for image in images:
        pointers = [texts_at, 0, 0, *([0, 0] if version < 3 else []), at, at + len(image), 0, 0, 0, 0]
        place = data_at + len(described)
        patches += [(place + 8 * index, value) for index, value in enumerate(pointers, 1) if value]
        values = [0] * len(pointers) if is_relocated else pointers
        described += struct.pack("<HBBI", version, 4, 1, 0) + struct.pack(f"<{len(values)}Q", *values)
        at += len(image) + -len(image) % 8
    return host(
        {
            ".rodata": (1, 2, texts),
            "__CLANG_OFFLOAD_BUNDLE__sycl-spir64_gen": (1, 2, section),
            ".data.rel.ro": (1, 3, described),
        },
        relocations=patches if is_relocated else (),
    )


def windows_object(sections: Mapping[str, bytes]) -> bytes:
    """An object file of Windows, whose long names are in a table of texts."""
    names, body, headers = b"", b"", b""
    for name, data in sections.items():
        field = f"/{4 + len(names)}".encode() if len(name) > 8 else name.encode()
        names += name.encode() + b"\0" if len(name) > 8 else b""
        at = 20 + 40 * len(sections) + len(body)
        headers += struct.pack("<8sIIIIIIHHI", field, 0, 0, len(data), at, 0, 0, 0, 0, 0x40000040)
        body += data
    symbols_at = 20 + len(headers) + len(body)
    header = struct.pack("<HHIIIHH", 0x8664, len(sections), 0, symbols_at, 0, 0, 0)
    return header + headers + body + struct.pack("<I", 4 + len(names)) + names


def windows_program(*images: bytes, is_described: bool = True) -> bytes:
    """A library of Windows with images for SYCL, which its data describes by addresses for the base it prefers."""
    base, first = 0x180000000, 0x400
    images_at = first + 0x20
    table, at = b"", images_at
    places = []
    for image in images:
        places.append((base + at, base + at + len(image)))
        at += len(image) + -len(image) % 8
    code = b"".join(image + bytes(-len(image) % 8) for image in images)
    for start, end in places if is_described else ():
        table += struct.pack("<HBBI4Q4Q", 3, 4, 1, 0, base + first, 0, 0, start, end, 0, 0, 0)
    parts = [
        (b".rdata", b"spir64_gen\0".ljust(0x20, b"\0"), 0x40000040),
        (b"__CLANG_", code, 0x40000040),
        (b".data", table, 0xC0000040),
    ]
    headers, at = b"", first
    for name, data, flags in parts:
        headers += struct.pack("<8sIIIIIIHHI", name, len(data), at, len(data), at, 0, 0, 0, 0, flags)
        at += len(data)
    optional = struct.pack("<H22xQ", 0x20B, base).ljust(240, b"\0")
    header = b"PE\0\0" + struct.pack("<HHIIIHH", 0x8664, len(parts), 0, 0, 0, len(optional), 0x2022)
    start = b"MZ".ljust(60, b"\0") + struct.pack("<I", 64)
    return (start + header + optional + headers).ljust(first, b"\0") + b"".join(data for _, data, _ in parts)


def bitcode(*arrays: bytes) -> bytes:
    """Bitcode with these constants and a function, as LLVM writes it."""
    texts = ("".join(f"\\{byte:02x}" for byte in array) for array in arrays)
    globals_ = "".join(
        f'@embedded.{index} = private constant [{len(array)} x i8] c"{text}", section ".llvm.offloading"\n'
        for index, (array, text) in enumerate(zip(arrays, texts, strict=True))
    )
    function = "define i32 @f(i32 %a) {\n  %b = add i32 %a, 77\n  ret i32 %b\n}\n"
    return llvm.parse_assembly(f'@word = constant [6 x i8] c"hello\\00"\n{globals_}{function}').as_bitcode()


def text_bundle(comment: str, entries: Mapping[str, str]) -> bytes:
    mark = f"{comment} __CLANG_OFFLOAD_BUNDLE____"
    return "".join(f"\n{mark}START__ {name}\n{text}\n{mark}END__ {name}\n" for name, text in entries.items()).encode()


def bundle(entries: Mapping[str, bytes]) -> bytes:
    table, at = b"", 32 + sum(24 + len(name) for name in entries)
    for name, data in entries.items():
        table += struct.pack("<QQQ", at, len(data), len(name)) + name.encode()
        at += len(data)
    return b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(entries)) + table + b"".join(entries.values())


def ccob(data: bytes, version: int, method: int) -> bytes:
    packed = zstd.compress(data) if method else zlib.compress(data)
    sizes = {
        1: struct.pack("<IQ", len(data), 0),
        2: struct.pack("<IIQ", 24 + len(packed), len(data), 0),
        3: struct.pack("<QQQ", 32 + len(packed), len(data), 0),
    }[version]
    return b"CCOB" + struct.pack("<HH", version, method) + sizes + packed


def offload_binary(
    *images: tuple[Mapping[str, str], bytes], version: int = 2, pack: Callable[[bytes], bytes] | None = None
) -> bytes:
    """An offload binary of strings and bytes for each image."""
    header_bytes, string_bytes = (40 if version == 3 else 32), (16 if version == 1 else 24)
    strings = [pair for texts, _ in images for pair in texts.items()]
    strings_at = header_bytes + 40 * len(images)
    at = strings_at + string_bytes * len(strings)
    places: list[int] = []
    table = b""
    for text in (word for pair in strings for word in pair):
        places.append(at + len(table))
        table += text.encode() + b"\0"
    at += len(table)
    entries = string_entries = contents = b""
    number = 0
    for texts, data in images:
        entries += struct.pack(
            "<HHIQQQQ", 1, 8, 0, strings_at + string_bytes * number, len(texts), at + len(contents), len(data)
        )
        number += len(texts)
        contents += data
    for index, (_, value) in enumerate(strings):
        string_entries += struct.pack("<QQ", places[2 * index], places[2 * index + 1])
        string_entries += struct.pack("<Q", len(value)) if version > 1 else b""
    body = entries + string_entries + table + contents
    inflated = header_bytes + len(body) if pack else 0
    body = pack(body) if pack else body
    count = 40 if version == 1 else len(images)
    header = struct.pack("<4sIQQQ", b"\x10\xff\x10\xad", version, header_bytes + len(body), header_bytes, count)
    return header + (struct.pack("<Q", inflated) if version == 3 else b"") + body


def syclbin(ir: bytes, native: bytes, arch: str) -> bytes:
    def properties(name: str, key: str, value: str) -> bytes:
        coded = base64.b64encode(struct.pack("<Q", 8 * len(value)) + value.encode()).decode()
        return f"[{name}]\n{key}=2|{coded}\n".encode()

    first = properties("SYCLBIN/ir module metadata", "target", "spir64-unknown-unknown")
    second = properties("SYCLBIN/native device code image metadata", "arch", arch)
    metadata = first + second
    header = struct.pack("<4sIIIIxxxxQQQQ", b"IBYS", 1, 1, 1, 1, len(metadata), len(ir) + len(native), 0, 0)
    tables = struct.pack("<QQIIII", 0, 0, 1, 0, 1, 0)
    tables += struct.pack("<QQQQ", 0, len(first), 0, len(ir))
    tables += struct.pack("<QQQQ", len(first), len(second), len(ir), len(native))
    return header + tables + metadata + bytes(-len(metadata) % 8) + ir + native


def metadata_and(code: bytes) -> bytes:
    return struct.pack("<Q", 5) + b"[a]\nb" + code


Listed = list[tuple[str, str, bytes]]
"""Name, target and bytes of images."""

CONTAINERS: dict[str, tuple[bytes, Listed]] = {
    "fat binary": (FAT, [("64.12.60.7", "64.12.60.7", PVC), ("64.dg2", "64.dg2", DG2)]),
    "SYCL program": (sycl_program(PVC, SPIRV), [("0", "spir64_gen", PVC), ("1", "spir64_gen", SPIRV)]),
    "SYCL program of an older compiler": (sycl_program(DG2, version=2), [("0", "spir64_gen", DG2)]),
    "SYCL program at a fixed address": (sycl_program(DG2, is_relocated=False), [("0", "spir64_gen", DG2)]),
    "compressed fat binary in a program": (
        sycl_program(zstd.compress(FAT)),
        [("0/64.12.60.7", "64.12.60.7", PVC), ("0/64.dg2", "64.dg2", DG2)],
    ),
    "object file of SYCL": (
        host({"__CLANG_OFFLOAD_BUNDLE__sycl-spir64_gen": (1, 0, PVC)}),
        [("0", "sycl-spir64_gen", PVC)],
    ),
    "images that are only listed": (
        host({"__CLANG_OFFLOAD_BUNDLE__x": (1, 2, DG2), ".tgtimg": (1, 3, struct.pack("<QQ", BASE + 64, 100))}),
        [("0", "", DG2[:100])],
    ),
    "ZEBINs among constants": (
        host({".rodata": (1, 2, b"abcd" + PVC + b"xy" + DG2)}),
        [("0", "", PVC), ("1", "", DG2)],
    ),
    "library of object files": (
        write_archive(
            {"a.o": host({".text": (1, 6, bytes(8))}), "b.o": host({".llvm.offloading": (1, 0, bundle({}))})}
        ),
        [],
    ),
    "object file of LLVM": (
        host({".llvm.offloading": (0x6FFF4C0B, 0, offload_binary(({"triple": "spirv64", "arch": "bmg"}, SPIRV)))}),
        [("0/0", "spirv64-bmg", SPIRV)],
    ),
    "OpenMP": (
        offload_binary(({"triple": "spirv64-intel"}, host({"__openmp_offload_spirv_0": (1, 0, SPIRV)}, machine=0))),
        [("0/0", "spirv64-intel", SPIRV)],
    ),
    "bundle": (bundle({"host": b"", "sycl-bmg": PVC}), [("sycl-bmg", "sycl-bmg", PVC)]),
    **{
        f"compressed bundle {version}.{method}": (ccob(bundle({"sycl": PVC}), version, method), [("sycl", "sycl", PVC)])
        for version in (1, 2, 3)
        for method in (0, 1)
    },
    "offload binary 1": (offload_binary(({"arch": "pvc"}, PVC), version=1), [("0", "pvc", PVC)]),
    "offload binary 2": (
        offload_binary(({"arch": "pvc"}, PVC), ({"triple": "spir64"}, SPIRV)),
        [("0", "pvc", PVC), ("1", "spir64", SPIRV)],
    ),
    "compressed offload binary": (
        offload_binary(({"arch": "pvc"}, PVC), version=3, pack=zstd.compress),
        [("0", "pvc", PVC)],
    ),
    "offload binary of zlib": (
        offload_binary(({"arch": "pvc"}, PVC), version=3, pack=zlib.compress),
        [("0", "pvc", PVC)],
    ),
    "offload binaries one after the other": (
        offload_binary(({}, PVC)).ljust(-len(offload_binary(({}, PVC))) % 8 + len(offload_binary(({}, PVC))), b"\0")
        + offload_binary(({}, DG2), version=1)
        + bytes(40),
        [("0", "", PVC), ("1", "", DG2)],
    ),
    "SYCLBIN 1": (syclbin(SPIRV, PVC, "pvc"), [("0", "spir64-unknown-unknown", SPIRV), ("1", "pvc", PVC)]),
    "SYCLBIN 2": (
        offload_binary(
            ({"role": "global_metadata"}, b"[x]"),
            ({"role": "native", "arch": "pvc"}, metadata_and(PVC)),
        ),
        [("0", "pvc", PVC)],
    ),
    "library of Windows": (windows_program(PVC, SPIRV), [("0", "spir64_gen", PVC), ("1", "spir64_gen", SPIRV)]),
    "library of Windows without descriptions": (windows_program(PADDED, is_described=False), [("0", "", PADDED)]),
    "object file of Windows": (
        windows_object({".text": bytes(8), ".llvm.offloading": offload_binary(({"arch": "pvc"}, PVC)), "x": b"1"}),
        [("0/0", "pvc", PVC)],
    ),
    "bitcode": (
        bitcode(offload_binary(({"arch": "pvc"}, PVC)) + b"x" * 7, offload_binary(({"triple": "spirv64"}, SPIRV))),
        [("0/0", "pvc", PVC), ("1/0", "spirv64", SPIRV)],
    ),
    "text": (
        text_bundle("//", {"host-x86_64": "int f;", "sycl-spir64": "a\n# b", "sycl-pvc": "", "sycl-bmg": "c"}),
        [("sycl-spir64", "sycl-spir64", b"a\n# b"), ("sycl-bmg", "sycl-bmg", b"c")],
    ),
    "compressed twice": (
        zstd.compress(zstd.compress(FAT)),
        [("64.12.60.7", "64.12.60.7", PVC), ("64.dg2", "64.dg2", DG2)],
    ),
}


OTHER_KINDS = {SPIRV: "SPIR-V module", b"a\n# b": "text file", b"c": "text file"}


@pytest.mark.parametrize(("data", "expected"), CONTAINERS.values(), ids=CONTAINERS)
def test_device_code_is_found(data: bytes, expected: Listed) -> None:
    assert is_container(data)
    found = list(device_images(data))
    assert [(image.name, image.target, bytes(image.data)) for image in found] == expected
    for image in found:
        assert image.offset is None or data[image.offset : image.offset + len(image.data)] == image.data
        assert image.kind == OTHER_KINDS.get(bytes(image.data), "ZEBIN")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PVC, "ZEBIN"),
        (bitcode(), "LLVM bitcode"),
        (bitcode(FAT)[:-4000], "LLVM bitcode"),
        (b'; ModuleID\nsource_filename = "x"\n', "LLVM IR"),
    ],
)
def test_a_file_that_is_no_container_is_itself(data: bytes, kind: str) -> None:
    (image,) = device_images(data)
    assert (image.name, image.kind, image.data, image.offset) == ("", kind, data, 0)
    assert not is_container(data)


def test_nothing_is_no_container() -> None:
    assert not is_container(b"")


# Choice --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("device", "names"),
    [
        ("pvc", ["0/64.12.60.7", "1"]),
        ("12.60.7", ["0/64.12.60.7", "1"]),
        ("dg2", ["0/64.dg2"]),
        ("12.55", ["0/64.dg2"]),
    ],
)
def test_one_member_of_each_fat_binary_and_all_others(device: str, names: list[str]) -> None:
    images = list(device_images(sycl_program(FAT, PVC, SPIRV)))
    assert [image.name for image in images_for(images, TargetDevice.parse(device))] == names


def test_a_version_is_a_name_of_its_product() -> None:
    images = list(device_images(write_archive({"64.bmg": PVC, "64.lnl": PVC})))
    for text, name in (("20.1.0", "64.bmg"), ("20.1", "64.bmg"), ("bmg", "64.bmg"), ("20.4.4", "64.lnl")):
        assert [image.name for image in images_for(images, TargetDevice.parse(text))] == [name]
    with pytest.raises(ZebinError, match=r"no member for 30\.0\.4"):
        images_for(images, TargetDevice.parse("30.0.4"))


def of_config(version: str) -> bytes:
    """A sample for DG2 that states its configuration, as code for another GPU."""
    word = config_word(*map(int, version.split(".")))
    return TEXELS.replace(struct.pack("<I", ARC_TARGET.product_config), struct.pack("<I", word))


@pytest.mark.parametrize(
    ("device", "versions", "expected"),
    [
        ("arc", ["12.56.5", "12.70.4"], ["12.56.5"]),
        ("arc", ["12.57.0", "12.70.4", "12.55.8"], ["12.55.8"]),
        ("arc", ["12.60.7", "12.70.4"], ["12.70.4"]),
        ("acm-g11", ["12.55.8", "12.57.0"], ["12.55.8"]),
        ("12.57", ["12.55.8"], ["12.55.8"]),
        ("bmg-g31", ["20.1.0"], ["20.1.0"]),
        ("lnl", ["20.2.0"], []),
        ("bmg", ["20.4.4"], []),
        ("pvc", ["12.55.8"], []),
    ],
)
def test_code_for_relatives_is_taken_where_there_is_none_for_the_gpu(
    device: str, versions: list[str], expected: list[str]
) -> None:
    gpu = TargetDevice.parse(device)
    fat = list(device_images(write_archive({f"64.{version}": of_config(version) for version in versions})))
    alone = list(device_images(sycl_program(*map(of_config, versions))))
    for images, names in (
        (fat, [f"64.{version}" for version in expected]),
        (alone, [str(versions.index(version)) for version in expected]),
    ):
        if names:
            assert [image.name for image in images_for(images, gpu)] == names
        else:
            with pytest.raises(ZebinError, match="no member for"):
                images_for(images, gpu)


def test_spirv_is_taken_on_request_where_no_zebin_will_do() -> None:
    device, module = TargetDevice.parse("pvc"), assemble(SPIRV_PROGRAM)
    assert spirv_kernels(memoryview(module)) == ["fill"]
    swapped = b"".join(module[at : at + 4][::-1] for at in range(0, len(module), 4))
    assert spirv_kernels(memoryview(swapped)) == ["fill"]
    assert spirv_kernels(memoryview(module[:21])) == []
    program = sycl_program(PVC, module, SPIRV)
    assert image_in(program, device, or_spirv=True).name == "0"
    assert image_in(program, device, kernel="fill", or_spirv=True).name == "1"
    assert image_in(program, device, kernel="vadd", or_spirv=True).name == "0"
    assert image_in(sycl_program(module), device, or_spirv=True).name == "0"
    with pytest.raises(ZebinError, match="must be chosen: found 2 members, expected one of '0', '1'"):
        image_in(sycl_program(module, SPIRV), device, or_spirv=True)
    with pytest.raises(ZebinError, match="no member for"):
        image_in(sycl_program(module), device)


def test_a_kernel_or_a_name_tells_several_apart() -> None:
    program, device = sycl_program(PVC, sample("multi.pvc.zebin"), DG2), TargetDevice.parse("pvc")
    with pytest.raises(ZebinError, match="must be chosen: found 2 members, expected one of '0', '1'"):
        image_in(program, device)
    assert image_in(program, device, kernel="vadd").name == "0"
    assert image_in(program, device, member="2").data == DG2
    assert list(read(sycl_program(FAT), device=device).kernels) == ["vadd"]
    assert list(read(sycl_program(SPIRV, PVC)).kernels) == ["vadd"]
    with pytest.raises(ZebinError, match="no member is called '7'"):
        image_in(program, device, member="7")
    with pytest.raises(ZebinError, match="no ZEBIN among the device code: found SPIR-V module"):
        image_in(sycl_program(SPIRV))


@pytest.mark.parametrize("data", [host({}), host({".rodata": (1, 2, b"x" * 100)}), write_archive({"a.o": host({})})])
def test_files_without_device_code(data: bytes) -> None:
    with pytest.raises(ForeignFileError, match="without device code, not a ZEBIN"):
        read(data)


# Broken and hostile files --------------------------------------------------------------------------------------------

BROKEN: dict[str, tuple[bytes, str]] = {
    "bundle without a number": (bundle({})[:-4], "image.bounds"),
    "bundle that ends early": (bundle({"a": PVC})[:-1], "image.bounds"),
    "bundle of many": (b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", 1 << 60) + bytes(24 << 11), "image.limit"),
    "bundle of itself": (
        b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<QQQQ", 1, 0, 57, 1) + b"a",
        "image.limit",
    ),
    "bundle whose entries overlap": (
        b"__CLANG_OFFLOAD_BUNDLE__"
        + struct.pack("<Q", 900)
        + struct.pack("<QQQ", 32 + 900 * 24, 1 << 20, 0) * 900
        + bytes(1 << 20),
        "image.limit",
    ),
    "bomb": (zstd.compress(bytes(65 << 20)), "image.limit"),
    "bomb of zlib": (ccob(bytes(65 << 20), 3, 0), "image.limit"),
    "cut": (zstd.compress(PVC)[:-9], "image.compressed"),
    "noise": (b"\x28\xb5\x2f\xfd" + bytes(range(90)), "image.compressed"),
    "wrong size": (ccob(PVC, 2, 1).replace(struct.pack("<I", len(PVC)), struct.pack("<I", 3), 1), "image.compressed"),
    "new bundle": (ccob(PVC, 2, 1).replace(b"CCOB\2", b"CCOB\7"), "image.version"),
    "new offload binary": (offload_binary(({}, PVC)).replace(b"\xad\2", b"\xad\x09"), "image.version"),
    "offload binary of no bytes": (b"\x10\xff\x10\xad" + struct.pack("<IQQQ", 2, 0, 32, 1), "image.bounds"),
    "offload binary and more": (offload_binary(({}, PVC + bytes(-len(PVC) % 8))) + b"x" * 40, "image.bounds"),
    "offload binary of many": (
        b"\x10\xff\x10\xad" + struct.pack("<IQQQ", 2, 32 + (40 << 11), 32, 1 << 60) + bytes(40 << 11),
        "image.limit",
    ),
    "new SYCLBIN": (syclbin(SPIRV, PVC, "x").replace(b"IBYS\1", b"IBYS\3"), "image.version"),
    "cut SYCLBIN": (syclbin(SPIRV, PVC, "x")[:-1], "image.bounds"),
    "thin archive": (b"!<thin>\nx.o/", "ar.thin"),
    "text that ends early": (text_bundle("#", {"sycl": "ret"})[:-30], "image.bounds"),
    "many members": (b"!<arch>\n" + write_archive({"a": b""})[8:] * 1_100, "image.limit"),
    "many descriptions": (sycl_program(*[b"\x7fELF"] * 1_100), "image.limit"),
}


@pytest.mark.parametrize(("data", "code"), BROKEN.values(), ids=BROKEN)
def test_broken_and_hostile_containers(data: bytes, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Budget, "MOST_ENTRIES", 1000)
    with pytest.raises(ZebinError) as caught:
        list(device_images(data))
    assert caught.value.finding.code == code


def test_a_program_of_overlapping_sections_is_read_once() -> None:
    """Each of 1,000 sections covers the same 4 MB; looking for images in all of them would take minutes."""
    data = bytes(4 << 20)
    program = bytearray(host({f".data{index}": (1, 2, b"12345678") for index in range(1000)} | {".big": (1, 2, data)}))
    table = struct.unpack_from("<Q", program, 40)[0]
    for index in range(1, 1001):
        struct.pack_into("<QQQ", program, table + 64 * index + 16, BASE, 64, len(data))
    assert list(device_images(program)) == []


@pytest.mark.parametrize("name", CONTAINERS)
def test_damaged_containers_are_read_or_refused(name: str) -> None:
    random = Random(name)
    for _ in range(60):
        damaged = bytearray(CONTAINERS[name][0])
        for _ in range(random.randint(1, 4)):
            at = random.randrange(min(len(damaged), 4000))
            damaged[at : at + 4] = random.choice((b"\0\0\0\0", b"\xff\xff\xff\xff", random.randbytes(4)))
        with suppress(ZebinError):
            list(device_images(damaged[: random.randint(1, len(damaged))]))


# Commands ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program"
    path.write_bytes(sycl_program(zstd.compress(FAT), SPIRV))
    return path


def test_the_list_of_device_code(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert zebin_dump.main(["--list", str(program)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == ["0/64.12.60.7", "ZEBIN", "64.12.60.7", "PVC", str(len(PVC)), "1"]
    assert lines[4].split() == ["1", "SPIR-V", "module", "spir64_gen", str(len(SPIRV)), "0"]
    assert [line.split() for line in lines[6:9]] == [["Kernels:"], ["in", "name"], ["0/64.12.60.7", "vadd"]]
    assert zebin_dump.main(["--list", "--json", "--target", "dg2", str(program)]) == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert (entry["name"], entry["kernels"]) == ("0/64.dg2", ["vadd"])
    assert zebin_dump.main(["--list", VADD]) == 0
    assert "ZEBIN" in capsys.readouterr().out


def test_members_of_a_program_are_dumped_like_files(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert zebin_dump.main([VADD]) == 0
    expected = capsys.readouterr().out
    assert zebin_dump.main(["--member", "0/64.12.60.7", str(program)]) == 0
    assert capsys.readouterr().out == expected
    assert zebin_dump.main(["--validate", str(program)]) == 0
    assert f"{program}(1): valid: 1 remark" in capsys.readouterr().out
    assert zebin_dump.main(["--member", "2", str(program)]) == 1
    assert "no member is called '2', there are: 0/64.12.60.7, 0/64.dg2, 1" in capsys.readouterr().err


def test_a_zebin_is_extracted_and_edited(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert zebin_edit.main([str(program), "--extract", "--target", "pvc", "-o", str(out)]) == 0
    assert out.read_bytes() == PVC
    edit = ["--set", "kernels[vadd].execution_env.grf_count=256"]
    assert zebin_edit.main([str(program), "--extract", "--target", "pvc", *edit, "-o", str(out)]) == 0
    assert read(out).kernels["vadd"].execution_env.grf_count == 256
    assert zebin_edit.main([str(program), "--target", "pvc", *edit, "-o", str(out)]) == 1
    assert "only members of fat binaries can be replaced: --extract writes a ZEBIN alone" in capsys.readouterr().err
    assert zebin_edit.main([VADD, "--extract", "-o", str(out)]) == 0
    assert out.read_bytes() == PVC


# Names ---------------------------------------------------------------------------------------------------------------


def test_names_of_c_plus_plus_are_shown_as_in_the_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mangled.zebin"
    path.write_bytes(build(PVC_TARGET, [compiled_kernel("_ZTSN5mykit3addE"), compiled_kernel("plain")]))
    assert zebin_dump.main(["--kernels", "--symbols", "-C", str(path)]) == 0
    output = capsys.readouterr().out
    assert "mykit::add" in output
    assert "_ZTS" not in output
    assert "plain" in output
    assert zebin_dump.main(["-C", "-k", "mykit::add", str(path)]) == 0
    output = capsys.readouterr().out
    assert "Kernel mykit::add, execution_env:" in output
    assert "plain" not in output


def test_a_name_that_would_take_all_memory_stays_as_it_is() -> None:
    """Each template of the name has two arguments, both of which stand for the one before."""
    name = "_Z1f1AI1x1xE" + "".join(f"S_IS{index:X}_S{index:X}_E" for index in range(1, 16))
    name += "".join(f"S_IS{chr(71 + index)}_S{chr(71 + index)}_E" for index in range(20))
    assert demangled([name, "_Z3fooi", "main"]) == {"_Z3fooi": "foo(int)"}


# The runtime ---------------------------------------------------------------------------------------------------------


def test_the_kernels_of_a_program_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program"
    path.write_bytes(sycl_program(zstd.compress(FAT), sample("multi.pvc.zebin")))
    with Device("pvc") as device:
        assert "vadd" in device.load(path, kernel="vadd")
        assert "vadd" not in device.load(path, member="1")
        with pytest.raises(ZeError, match="must be chosen"):
            device.load(path)
    path.write_bytes(sycl_program(DG2, assemble(SPIRV_PROGRAM)))
    assert (
        xegpu_run.main(
            [str(path), "-k", "fill", "--target=pvc", "--grid=1", "--group=1", "--arg=zeros:1xi32", "--print=0"]
        )
        == 0
    )
    assert "[7]" in capfd.readouterr().out
    with Device("pvc") as device:
        assert "fill" in device.load(path)
    path.write_bytes(sycl_program(zstd.compress(FAT), sample("multi.pvc.zebin")))
    values = [f"--arg={value}" for value in ("arange:64xf32", "ones:64xf32", "zeros:64xf32", "i32:64")]
    assert xegpu_run.main([str(path), "-k", "vadd", "--grid=1", "--group=64", *values, "--print=2"]) == 0
    assert "[ 1.  2.  3." in capfd.readouterr().out
