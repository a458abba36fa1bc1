"""Containers of LLVM's offloading tools: bundles, offload binaries, and SYCLBIN."""

from __future__ import annotations

import binascii
import struct
from collections.abc import Iterator, Mapping

from zebin.containers.compression import inflate
from zebin.containers.image import Budget, ContainerPart, broken, piece

BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"
OFFLOAD_BINARY = b"\x10\xff\x10\xad"
SYCLBIN = b"IBYS"

_U64 = struct.Struct("<Q")
_TRIPLE = struct.Struct("<QQQ")
_LONGEST_TEXT = 4096

_HEADER = struct.Struct("<4sIQQQ")
_ENTRY = struct.Struct("<HHIQQQQ")
_INFLATED_AT = _HEADER.size
_STRING_BYTES = {1: 16, 2: 24, 3: 24}
"""The bytes of an entry of the string table, by version of offload binaries."""
_ALIGNMENT = 8

_SYCLBIN_HEADER = struct.Struct("<4sIIIIxxxxQQQQ")
_SYCLBIN_MODULE_BYTES = 32
_SYCLBIN_IMAGE = struct.Struct("<QQQQ")
_SYCLBIN_VERSION = 1
_SYCLBIN_CODE = ("ir", "native")
"""The roles of entries that hold code, behind metadata whose size precedes them, in the second version of SYCLBIN."""


def bundle_parts(data: memoryview, budget: Budget) -> Iterator[ContainerPart]:
    """Yields the entries of a bundle of `clang-offload-bundler`, but for empty ones as for the host."""
    at = len(BUNDLE)
    (count,) = _U64.unpack(piece(data, at, 8, "number of entries"))
    at += 8
    for _ in range(count):
        budget.entry()
        start, size, name_size = _TRIPLE.unpack(piece(data, at, _TRIPLE.size, "entry"))
        at += _TRIPLE.size
        name = bytes(piece(data, at, min(name_size, _LONGEST_TEXT), "name of an entry")).decode(errors="replace")
        at += name_size
        if size:
            yield ContainerPart(name, name, piece(data, start, size, f"entry {name}"), start)


def offload_binary_parts(data: memoryview, budget: Budget) -> Iterator[ContainerPart]:
    """Yields the images of offload binaries that follow each other, by number."""
    at = number = 0
    while at + _HEADER.size <= len(data):
        if data[at : at + len(OFFLOAD_BINARY)] != OFFLOAD_BINARY:
            if any(data[at : at + _HEADER.size]):
                raise broken("image.bounds", "no offload binary where one should start", found=f"{at:#x}")
            break  # the padding of a section
        size = _HEADER.unpack_from(data, at)[2]
        if size < _HEADER.size:
            raise broken("image.bounds", "offload binary without a header", found=f"size {size}")
        for target, image, offset in _images(piece(data, at, size, "offload binary"), budget):
            yield ContainerPart(str(number), target, image, None if offset is None else at + offset)
            number += 1
        at += size + -size % _ALIGNMENT


def _images(data: memoryview, budget: Budget) -> Iterator[tuple[str, memoryview, int | None]]:
    """Yields target, bytes and offset of each image of one offload binary."""
    _, version, _, entries, count = _HEADER.unpack_from(data)
    if version not in _STRING_BYTES:
        raise broken("image.version", "unknown version of offload binaries", found=version, expected="1 to 3")
    is_inflated = False
    if version >= 3 and _U64.unpack(piece(data, _INFLATED_AT, 8, "header"))[0]:
        body = inflate(data[min(entries, len(data)) :], budget)
        data = memoryview(b"".join((data[:entries], body)))
        is_inflated = True
    for index in range(1 if version == 1 else count):
        budget.entry()
        place = entries + index * _ENTRY.size
        *_, strings_at, strings, start, size = _ENTRY.unpack(piece(data, place, _ENTRY.size, "entry"))
        texts = _strings(data, strings_at, strings, version, budget)
        role = texts.get("role", "")
        if role in _SYCLBIN_CODE:
            (metadata,) = _U64.unpack(piece(data, start, 8, "metadata"))
            start, size = start + 8 + metadata, max(size - 8 - metadata, 0)
        if size and (not role or role in _SYCLBIN_CODE):
            target = "-".join(filter(None, (texts.get("triple", ""), texts.get("arch", ""))))
            yield target, piece(data, start, size, "image"), None if is_inflated else start


def _strings(data: memoryview, at: int, count: int, version: int, budget: Budget) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for index in range(count):
        budget.entry()
        key_at, value_at = struct.unpack(
            "<QQ", piece(data, at + index * _STRING_BYTES[version], 16, "entry of the string table")
        )
        found[_text(data, key_at)] = _text(data, value_at)
    return found


def _text(data: memoryview, at: int) -> str:
    return bytes(data[at : at + _LONGEST_TEXT]).partition(b"\0")[0].decode(errors="replace")


def syclbin_parts(data: memoryview, budget: Budget) -> Iterator[ContainerPart]:
    """Yields IR modules and native images of a SYCLBIN of the first version; later ones are offload binaries."""
    header = _SYCLBIN_HEADER.unpack(piece(data, 0, _SYCLBIN_HEADER.size, "header"))
    _, version, modules, irs, natives, metadata_bytes, *_ = header
    if version != _SYCLBIN_VERSION:
        raise broken("image.version", "unknown version of SYCLBIN", found=version, expected=str(_SYCLBIN_VERSION))
    table = _SYCLBIN_HEADER.size + modules * _SYCLBIN_MODULE_BYTES
    metadata = table + (irs + natives) * _SYCLBIN_IMAGE.size
    binaries = metadata + metadata_bytes + -metadata_bytes % _ALIGNMENT
    for index in range(irs + natives):
        budget.entry()
        place = table + index * _SYCLBIN_IMAGE.size
        about, about_size, start, size = _SYCLBIN_IMAGE.unpack(piece(data, place, _SYCLBIN_IMAGE.size, "header"))
        properties = piece(data, metadata + about, about_size, "metadata")
        image = piece(data, binaries + start, size, "image")
        yield ContainerPart(str(index), _property(properties, b"arch", b"target"), image, binaries + start)


def _property(properties: memoryview, *keys: bytes) -> str:
    """Returns the first of these properties that is there, whose values are base64 behind 8 bytes with their size."""
    lines = bytes(properties[:_LONGEST_TEXT]).splitlines()
    values = dict(line.partition(b"=2|")[::2] for line in lines if b"=2|" in line)
    return next((_decoded(values[key]) for key in keys if key in values), "")


def _decoded(value: bytes) -> str:
    try:
        return binascii.a2b_base64(value)[8:].decode(errors="replace").rstrip("\0")
    except binascii.Error:
        return ""
