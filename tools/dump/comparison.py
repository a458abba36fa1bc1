"""`--diff`: the differences between two files."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby

from tools.cli import Style
from tools.dump.inputs import InputBinary, InputFile
from tools.dump.output import DumpOutput
from zebin import Zebin
from zebin.diff import Change, diff
from zebin.dump import Json, json_chunks, printable


def show_differences(old: InputFile, new: InputFile, output: DumpOutput, *, as_json: bool) -> bool | None:
    """Shows the differences and returns whether there are any, None if the files cannot be compared.

    Members of fat binaries are compared with the members of the same name.
    """
    pairs = list(_pairs(old, new))
    if any(binary is not None and binary.zebin is None for _, *pair in pairs for binary in pair):
        return None
    found: list[Json] = []
    differs = False
    for title, before, after in pairs:
        changes = _changes(before, after)
        differs |= bool(changes)
        if as_json:
            found += [_object(title, change) for change in changes]
        elif changes:
            output.line(printable(f"--- {old.name}{title}"), Style.HEADING)
            output.line(printable(f"+++ {new.name}{title}"), Style.HEADING)
            _show(changes, output)
    if as_json:
        sys.stdout.writelines(json_chunks(found))
        print()
    return differs


def _pairs(old: InputFile, new: InputFile) -> Iterator[tuple[str, InputBinary | None, InputBinary | None]]:
    """Yields the binaries that are compared with each other, each pair under the title that distinguishes it."""
    if len(old.binaries) == len(new.binaries) == 1:
        yield "", old.binaries[0], new.binaries[0]
        return
    before = {binary.label.removeprefix(old.name): binary for binary in old.binaries}
    after = {binary.label.removeprefix(new.name): binary for binary in new.binaries}
    for title in dict.fromkeys((*before, *after)):
        yield title, before.get(title), after.get(title)


def _changes(old: InputBinary | None, new: InputBinary | None) -> Sequence[Change]:
    before, after = _zebin(old), _zebin(new)
    if before is not None and after is not None:
        return diff(before, after)
    return [Change("binary", "", _size(old), _size(new))]


def _zebin(binary: InputBinary | None) -> Zebin | None:
    return None if binary is None else binary.zebin


def _size(binary: InputBinary | None) -> str | None:
    return None if binary is None else f"{len(binary.data)} bytes"


def _show(changes: Sequence[Change], output: DumpOutput) -> None:
    for subject, group in groupby(changes, key=lambda change: change.subject):
        own, *others = group
        if not own.key:
            sign, words = ("+", own.new) if own.old is None else ("-", own.old)
            _line(f"{sign} {subject}: {words}", output)
        else:
            output.line(f"{printable(subject)}:", Style.TITLE)
            others.insert(0, own)
        for change in others:
            _show_change(change, output)


def _show_change(change: Change, output: DumpOutput) -> None:
    if change.old is None:
        _line(f"+   {change.key}: {change.new}", output)
    elif change.new is None:
        _line(f"-   {change.key}: {change.old}", output)
    else:
        _line(f"    {change.key}: {change.old} -> {change.new}", output)
    for line in change.lines:
        _line(f"{line[:1]}     {line[1:]}" if line[:1] in "+- " else f"      {line}", output)


def _line(text: str, output: DumpOutput) -> None:
    output.line(printable(text.rstrip()), {"+": Style.ADDED, "-": Style.REMOVED}.get(text[:1]))


def _object(title: str, change: Change) -> Json:
    member: dict[str, Json] = {"member": title.strip("()")} if title else {}
    return member | {
        "subject": change.subject,
        "key": change.key,
        "old": change.old,
        "new": change.new,
        "lines": change.lines,
    }
