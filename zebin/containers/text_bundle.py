"""Offload bundles of assembly and LLVM IR, which are text: comments stand around the code for each device."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zebin.containers.image import Budget, ContainerPart, broken

_START = re.compile(rb"(?:^|\n)(#|;|//) __CLANG_OFFLOAD_BUNDLE____START__ ([^\n]{1,4096})\n")
_FIRST = re.compile(rb"\s{,16}(?:#|;|//) __CLANG_OFFLOAD_BUNDLE____START__ ")
_HOST = "host-"


def is_text_bundle(data: memoryview) -> bool:
    """Returns whether the file starts with the comment in front of the code for a device or for the host."""
    return _FIRST.match(data[:64]) is not None


def text_bundle_parts(data: memoryview, budget: Budget) -> Iterator[ContainerPart]:
    """Yields the code for devices.

    Raises:
        ZebinError: If the comment behind the code is missing.
    """
    text, at = bytes(data), 0
    while (start := _START.search(text, at)) is not None:
        budget.entry()
        comment, name = start.groups()
        end_line = b"\n%s __CLANG_OFFLOAD_BUNDLE____END__ %s" % (comment, name)
        end = text.find(end_line, start.end() - 1)
        target = name.decode(errors="replace").strip()
        if end < 0:
            raise broken(
                "image.bounds", f"code for {target} has no end", expected=end_line.strip().decode(errors="replace")
            )
        first, last = start.end(), max(start.end(), end)
        if last > first and not target.startswith(_HOST):
            yield ContainerPart(target, target, data[first:last], first)
        at = end + len(end_line)
