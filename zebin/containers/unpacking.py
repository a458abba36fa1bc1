"""Finds the device code in any file: in archives, bundles, offload binaries, host files and bitcode, nested at will."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from zebin.containers.archive import MAGIC as ARCHIVE, THIN, archive_parts, refuse_thin
from zebin.containers.bitcode import BITCODE, WRAPPED_BITCODE, bitcode_parts
from zebin.containers.compression import CCOB, ZSTD, ccob_parts, zstd_parts
from zebin.containers.host_file import host_parts
from zebin.containers.image import ZEBIN, Budget, ContainerPart, OffloadImage, broken
from zebin.containers.offloading import (
    BUNDLE,
    OFFLOAD_BINARY,
    SYCLBIN,
    bundle_parts,
    offload_binary_parts,
    syclbin_parts,
)
from zebin.containers.text_bundle import is_text_bundle, text_bundle_parts
from zebin.elf.foreign import describe_foreign, is_host_file
from zebin.elf.model import Buffer
from zebin.errors import ZebinError

_Reader = Callable[[memoryview, Budget], Iterator[ContainerPart]]

_READERS: Mapping[bytes, _Reader] = {
    ARCHIVE: archive_parts,
    BUNDLE: bundle_parts,
    CCOB: ccob_parts,
    OFFLOAD_BINARY: offload_binary_parts,
    SYCLBIN: syclbin_parts,
    THIN: refuse_thin,
    ZSTD: zstd_parts,
}
"""The containers by their first bytes."""

_LONGEST_MAGIC = max(map(len, _READERS))


def is_container(data: Buffer) -> bool:
    """Returns whether device code has to be looked for in the file, which is none itself."""
    return _reader(memoryview(data)) is not None


def device_images(data: Buffer) -> Iterator[OffloadImage]:
    """Yields the device code in a file, decompressed; of a file that is no container, the file itself.

    Raises:
        ZebinError: If a container is broken, or would cost more than a file of this size may.
    """
    view = memoryview(data)
    return _images(ContainerPart("", "", view, 0), None, Budget(len(view)), 0)


def _images(part: ContainerPart, group: str | None, budget: Budget, depth: int) -> Iterator[OffloadImage]:
    """Yields the images in a part, whose name and offset are those in the file."""
    reader = _reader(part.data)
    if reader is None:
        budget.image(len(part.data))
        kind = describe_foreign(part.data) or ZEBIN
        yield OffloadImage(part.name, part.target, kind, part.data, part.name if group is None else group, part.offset)
        return
    if depth == Budget.MOST_NESTED:
        raise broken("image.limit", f"containers are nested more than {Budget.MOST_NESTED} deep")
    for inner in reader(part.data, budget):
        name = "/".join(filter(None, (part.name, inner.name)))
        offset = None if part.offset is None or inner.offset is None else part.offset + inner.offset
        fat = part.name if reader is archive_parts else None
        yield from _images(ContainerPart(name, inner.target or part.target, inner.data, offset), fat, budget, depth + 1)


def _reader(data: memoryview) -> _Reader | None:
    start = bytes(data[:_LONGEST_MAGIC])
    found = next((reader for magic, reader in _READERS.items() if start.startswith(magic)), None)
    if found is not None:
        return found
    if start.startswith((BITCODE, WRAPPED_BITCODE)):
        return bitcode_parts if _holds_any(data) else None
    if is_text_bundle(data):
        return text_bundle_parts
    return host_parts if is_host_file(data) else None


def _holds_any(bitcode: memoryview) -> bool:
    """Returns whether bitcode is that of a host with code for devices. That of a device, or broken, is no container."""
    with suppress(ZebinError):
        return any(bitcode_parts(bitcode, Budget(len(bitcode))))
    return False
