"""The ZEBINs that a command works on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.cli import STANDARD_STREAM, CommandError, ReportedError, display_name, read_bytes, reason
from zebin import (
    GENERIC_IR,
    Finding,
    FindingSeverity,
    OffloadImage,
    TargetDevice,
    Zebin,
    ZebinError,
    device_images,
    excerpt,
    images_for,
    is_container,
    map_file,
    read,
)
from zebin.dump import printable

STREAM_LIMIT = 1 << 30
"""Bytes that are read from a pipe or device before it is refused: unlike files, these may never end."""


LISTED = 20
"""Names of members that a message lists."""


@dataclass
class InputBinary:
    """One piece of device code of a file.

    `zebin` is None if it is none, or if its structure could not be read at all. `image` says where it is in a file that
    holds several; None if that could not be found out.
    """

    label: str
    data: memoryview
    zebin: Zebin | None
    findings: list[Finding]
    image: OffloadImage | None = None

    def error(self, code: str, message: str) -> None:
        self.findings.append(Finding(FindingSeverity.ERROR, code, message))

    @property
    def has_errors(self) -> bool:
        return any(finding.severity is FindingSeverity.ERROR for finding in self.findings)


@dataclass(frozen=True)
class InputFile:
    """A file named on the command line, and the device code in it."""

    name: str
    is_container: bool
    binaries: Sequence[InputBinary]


def read_binary(file: str) -> memoryview:
    """Returns the contents of a file or of standard input.

    Raises:
        CommandError: If the file cannot be read.
    """
    if not file:
        raise CommandError("the name of a file is empty")
    path = Path(file)
    try:
        if file != STANDARD_STREAM and (path.is_file() or path.is_dir() or not path.exists()):
            return map_file(path)
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot be read: {reason(error)}", display_name(file)) from None
    return memoryview(read_bytes(file, STREAM_LIMIT))


def load(file: str, *, member: str | None = None, target: str | None = None, strict: bool = False) -> InputFile:
    """Returns all device code of a file, or only that called `member` or that for a GPU.

    A broken container becomes a single binary that holds nothing but the findings.

    Raises:
        CommandError: If the file cannot be read or has no such member.
    """
    name, data = display_name(file), read_binary(file)
    if not is_container(data):
        if member is not None or target is not None:
            raise CommandError("not a fat binary, so there are no members to choose from", name)
        return InputFile(name, False, [_binary(name, image, strict) for image in device_images(data)])
    try:
        found = list(device_images(data))
    except ZebinError as error:
        return InputFile(name, True, [InputBinary(name, data, None, list(error.findings))])
    if not found:
        return InputFile(name, False, [_read(name, data, None, strict)])
    images = chosen_images(name, found, member, target)
    return InputFile(name, True, [_binary(f"{name}({printable(i.name)})", i, strict) for i in images])


def chosen_images(
    name: str, images: Sequence[OffloadImage], member: str | None, target: str | None
) -> Sequence[OffloadImage]:
    """Returns the images to work on.

    Raises:
        CommandError: If no image has the requested name or is for the requested GPU.
    """
    if target is not None:
        try:
            return images_for(images, TargetDevice.parse(target))
        except ZebinError as error:
            raise ReportedError(f"{name}: {error}") from None
        except ValueError as error:
            raise CommandError(str(error), name) from None
    if member is None:
        return images
    chosen = [candidate for candidate in images if candidate.name == member]
    if not chosen:
        known = ", ".join(printable(candidate.name) for candidate in images[:LISTED]) or "none"
        more = f" and {len(images) - LISTED} more" if len(images) > LISTED else ""
        raise CommandError(f"no member is called {excerpt(member)}, there are: {known}{more}", name)
    return chosen[:1]


def _binary(label: str, image: OffloadImage, strict: bool) -> InputBinary:
    if image.member == GENERIC_IR:
        message = "SPIR-V module for GPUs that have no member of their own"
        remark = Finding(FindingSeverity.INFO, "ar.generic-ir", message)
        return InputBinary(label, image.data, None, [remark], image)
    if image.name and not image.is_zebin:
        remark = Finding(FindingSeverity.INFO, "image.other", f"{image.kind}, not a ZEBIN")
        return InputBinary(label, image.data, None, [remark], image)
    return _read(label, image.data, image, strict)


def _read(label: str, data: memoryview, image: OffloadImage | None, strict: bool) -> InputBinary:
    try:
        zebin = read(data, lenient=True, strict=strict)
    except ZebinError as error:
        return InputBinary(label, data, None, list(error.findings), image)
    return InputBinary(label, data, zebin, list(zebin.findings), image)


def all_binaries(sources: Sequence[InputFile]) -> Iterator[InputBinary]:
    for source in sources:
        yield from source.binaries
