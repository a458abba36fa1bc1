"""Compressed device code: decompressed up to a limit, so that no file can ask for more memory than it is worth."""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Iterator

from zebin.containers.image import Budget, ContainerPart, broken, piece

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ZSTD = b"\x28\xb5\x2f\xfd"
CCOB = b"CCOB"

_COMMON = struct.Struct("<4sHH")
_SIZES = {1: struct.Struct("<IQ"), 2: struct.Struct("<IIQ"), 3: struct.Struct("<QQQ")}
"""Lists what follows in a header by its version: from 2 on the whole's size, then that of the contents and a hash."""
_ZLIB_METHOD = 0


def inflate(data: memoryview, budget: Budget) -> memoryview:
    """Returns the contents of a zstd frame or of a zlib stream.

    Raises:
        ZebinError: If it is broken, or holds more than the budget allows.
    """
    limit = budget.inflated_left
    try:
        if data[: len(ZSTD)] == ZSTD:
            frame = zstd.ZstdDecompressor()
            content, is_whole = frame.decompress(data, max_length=limit + 1), frame.eof
        else:
            stream = zlib.decompressobj()
            content, is_whole = stream.decompress(data, limit + 1), stream.eof
    except (zstd.ZstdError, zlib.error) as error:
        raise broken("image.compressed", f"broken compressed data: {error}") from None
    if len(content) > limit:
        raise broken("image.limit", f"compressed data holds more than {limit} bytes")
    if not is_whole:
        raise broken("image.compressed", "compressed data ends too early")
    budget.inflated(len(content))
    return memoryview(content)


def zstd_parts(data: memoryview, budget: Budget) -> Iterator[ContainerPart]:
    """Yields the contents of a zstd frame."""
    yield ContainerPart("", "", inflate(data, budget), None)


def ccob_parts(data: memoryview, budget: Budget) -> Iterator[ContainerPart]:
    """Yields the contents of a compressed offload bundle of clang."""
    _, version, _ = _COMMON.unpack(piece(data, 0, _COMMON.size, "header"))
    sizes = _SIZES.get(version)
    if sizes is None:
        raise broken("image.version", "unknown version of compressed bundles", found=version, expected="1 to 3")
    fields = sizes.unpack(piece(data, _COMMON.size, sizes.size, "header"))
    end = fields[0] if version > 1 else len(data)
    start = _COMMON.size + sizes.size
    content = inflate(piece(data, start, max(end - start, 0), "compressed data"), budget)
    if len(content) != fields[-2]:
        raise broken("image.compressed", "wrong size of contents", found=len(content), expected=str(fields[-2]))
    yield ContainerPart("", "", content, None)
