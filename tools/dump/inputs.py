"""The ZEBINs that a command works on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.cli import STANDARD_STREAM, CommandError, ReportedError, display_name, read_bytes, reason
from zebin import (
    GENERIC_IR,
    ArchiveMember,
    Finding,
    FindingSeverity,
    TargetDevice,
    Zebin,
    ZebinError,
    choose_member,
    excerpt,
    is_archive,
    map_file,
    read,
    read_archive,
)
from zebin.dump import printable

STREAM_LIMIT = 1 << 30
"""Bytes that are read from a pipe or device before it is refused: unlike files, these may never end."""


@dataclass
class InputBinary:
    """One ZEBIN of a file. `zebin` is None if the file's structure could not be read at all."""

    label: str
    data: memoryview
    zebin: Zebin | None
    findings: list[Finding]

    def error(self, code: str, message: str) -> None:
        self.findings.append(Finding(FindingSeverity.ERROR, code, message))

    @property
    def has_errors(self) -> bool:
        return any(finding.severity is FindingSeverity.ERROR for finding in self.findings)


@dataclass(frozen=True)
class InputFile:
    """A file named on the command line, and the ZEBINs in it."""

    name: str
    is_fat: bool
    binaries: Sequence[InputBinary]


def read_binary(file: str) -> memoryview:
    """Returns the contents of a file or of standard input.

    Raises:
        CommandError: If the file cannot be read.
    """
    path = Path(file)
    try:
        if file != STANDARD_STREAM and (path.is_file() or path.is_dir() or not path.exists()):
            return map_file(path)
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot be read: {reason(error)}", display_name(file)) from None
    return memoryview(read_bytes(file, STREAM_LIMIT))


def load(file: str, *, member: str | None = None, target: str | None = None, strict: bool = False) -> InputFile:
    """Returns all ZEBINs of a file, or only the one called `member` or the one for a GPU.

    A broken archive becomes a single binary that holds nothing but the findings.

    Raises:
        CommandError: If the file cannot be read or has no such member.
    """
    name, data = display_name(file), read_binary(file)
    if not is_archive(data):
        if member is not None or target is not None:
            raise CommandError("not a fat binary, so there are no members to choose from", name)
        return InputFile(name, False, [_binary(name, data, strict)])
    try:
        found = read_archive(data)
    except ZebinError as error:
        return InputFile(name, True, [InputBinary(name, data, None, list(error.findings))])
    members = chosen_members(name, found, member, target)
    return InputFile(name, True, [_member(f"{name}({printable(m.name)})", m, strict) for m in members])


def chosen_members(
    name: str, members: Sequence[ArchiveMember], member: str | None, target: str | None
) -> Sequence[ArchiveMember]:
    """Returns the members to work on.

    Raises:
        CommandError: If no member has the requested name or is for the requested GPU.
    """
    if target is not None:
        try:
            return [choose_member(members, TargetDevice.parse(target))]
        except ZebinError as error:
            raise ReportedError(f"{name}: {error}") from None
        except ValueError as error:
            raise CommandError(str(error), name) from None
    if member is None:
        return members
    chosen = [candidate for candidate in members if candidate.name == member]
    if not chosen:
        known = ", ".join(printable(candidate.name) for candidate in members) or "none"
        raise CommandError(f"no member is called {excerpt(member)}, there are: {known}", name)
    return chosen[:1]


def _member(label: str, member: ArchiveMember, strict: bool) -> InputBinary:
    if member.name == GENERIC_IR:
        message = "SPIR-V module for GPUs that have no member of their own"
        return InputBinary(label, member.data, None, [Finding(FindingSeverity.INFO, "ar.generic-ir", message)])
    return _binary(label, member.data, strict)


def _binary(label: str, data: memoryview, strict: bool) -> InputBinary:
    try:
        zebin = read(data, lenient=True, strict=strict)
    except ZebinError as error:
        return InputBinary(label, data, None, list(error.findings))
    return InputBinary(label, data, zebin, list(zebin.findings))


def all_binaries(sources: Sequence[InputFile]) -> Iterator[InputBinary]:
    for source in sources:
        yield from source.binaries
