"""Differences of code: by instruction if it can be disassembled, by byte otherwise."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import islice

from zebin.binary.disassembly import CodeListing, disassemble
from zebin.binary.model import ZebinKernel
from zebin.elf.model import Buffer
from zebin.elf.notes import TargetNotes

_LINE_LIMIT = 5_000
"""Lines of the differing part of a listing beyond which instructions are not matched."""

_CONTEXT = 3

_LABEL = re.compile(r"\bL\d+\b")


def difference_of_bytes(old: Buffer, new: Buffer) -> tuple[str, str]:
    """Returns both sizes, or for equal sizes the first bytes that differ."""
    if len(old) != len(new):
        return f"{len(old)} bytes", f"{len(new)} bytes"
    at = first_difference(old, new)
    return f"{old[at : at + 8].hex(' ')} at {at:#x}", f"{new[at : at + 8].hex(' ')} at {at:#x}"


def first_difference(old: Buffer, new: Buffer) -> int:
    """Returns the offset of the first byte that differs, the length of the shorter one if there is none."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def instruction_diff(old: ZebinKernel, new: ZebinKernel, old_target: TargetNotes, new_target: TargetNotes) -> list[str]:
    """Returns a unified diff of two listings, or the reason for its absence."""
    before, after = disassemble(old, old_target), disassemble(new, new_target)
    problem = before.problem or after.problem
    if problem:
        return [problem]
    first, second = _comparable(before), _comparable(after)
    start = max(_common_start(first, second) - _CONTEXT, 0)
    stop = max(_common_start(first[start:][::-1], second[start:][::-1]) - _CONTEXT, 0)
    first, second = first[start : len(first) - stop], second[start : len(second) - stop]
    if max(len(first), len(second)) > _LINE_LIMIT:
        return [f"{max(len(first), len(second))} instructions, too many to match with each other"]
    lines = []
    for group in SequenceMatcher(None, first, second).get_grouped_opcodes(_CONTEXT):
        lines.append(f"@@ {_offset(before, start + group[0][1])} -> {_offset(after, start + group[0][3])} @@")
        for kind, old_start, old_end, new_start, new_end in group:
            if kind == "equal":
                lines += [f" {line}" for line in first[old_start:old_end]]
            else:
                lines += [f"-{line}" for line in first[old_start:old_end]]
                lines += [f"+{line}" for line in second[new_start:new_end]]
    return lines


def _offset(listing: CodeListing, index: int) -> str:
    """Returns the byte offset of a line, or of the next line that has one."""
    return next((f"{line.offset:#x}" for line in islice(listing.lines, index, None) if line.offset is not None), "end")


def _comparable(listing: CodeListing) -> list[str]:
    """Returns instructions without offsets and with labels numbered in order of appearance, as neither changes the
    meaning.
    """
    numbers: dict[str, str] = {}

    def numbered(match: re.Match[str]) -> str:
        return numbers.setdefault(match[0], f"L{len(numbers) + 1}")

    return [_LABEL.sub(numbered, line.text) for line in listing.lines]


def _common_start(first: Sequence[str], second: Sequence[str]) -> int:
    pairs = enumerate(zip(first, second, strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(first), len(second)))
