"""Assembly as the source: it becomes code and, with a description of its kernel, a ZEBIN that can be run."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from tools.explore.protocol import ASSEMBLY, NATIVE_ASSEMBLY, CompileRequest
from tools.explore.service.assembly import assembled, assembled_stage, errors_at
from tools.explore.service.stages import Stage
from xegpu.diagnostics import SourceLocation, warn
from xegpu.isa import AssemblyError, decode_program
from xegpu.isa.native import UnknownEncoding, assemble_native_program, native_lines
from xegpu.targets import get
from zebin import BinaryLocation, Finding, FindingSeverity, ZebinError, pack

ENTRY = "_entry"
"""The label where threads begin whose registers have been loaded."""

_DESCRIPTION = re.compile(r"/\*[ \t]*\.ze_info[ \t]*\n(.*?)\*/", re.DOTALL)


@dataclass(frozen=True)
class Handwritten:
    """The code of a text in assembly.

    Attributes:
        code: The code.
        stage: The code as it is read back.
        lines: The line of the text that the instruction at each byte offset is from.
        entry: The byte offset where threads begin; None if no label says it.
    """

    code: bytes
    stage: Stage
    lines: Mapping[int, int]
    entry: int | None = 0


def handwritten(request: CompileRequest) -> Handwritten:
    """Returns the code of a text in assembly. Raises `CompileError` for text that is wrong, with all errors."""
    return _READERS[request.language](request)


def _virtual(request: CompileRequest) -> Handwritten:
    assembly = assembled(request)
    offsets = decode_program(assembly.code).offsets
    lines = {offset: line for offset, (line, _) in zip(offsets, assembly.places, strict=True)}
    return Handwritten(assembly.code, assembled_stage(request, assembly), lines)


def _native(request: CompileRequest) -> Handwritten:
    target = get(request.target)
    platform = target.platform
    try:
        assembly = assemble_native_program(platform, request.source)
    except UnknownEncoding as error:
        raise errors_at(request, [(1, 1, str(error))]) from None
    except AssemblyError as error:
        raise errors_at(request, [(each.line, each.column, each.message) for each in (error, *error.others)]) from None
    if not assembly.code:
        raise errors_at(request, [(1, 1, "no instruction")])
    rows = list(native_lines(platform, assembly.code))
    texts = [text if offset is None else f"/* {offset:06x} */  {text}" for offset, text in rows]
    lines = [0 if offset is None else assembly.lines[offset] for offset, _ in rows]
    stage = Stage("code", "xe-asm", "\n".join(texts), lines)
    return Handwritten(assembly.code, stage, assembly.lines, assembly.labels.get(ENTRY))


_READERS: Mapping[str, Callable[[CompileRequest], Handwritten]] = {ASSEMBLY: _virtual, NATIVE_ASSEMBLY: _native}


def packed(request: CompileRequest, found: Handwritten) -> bytes | None:
    """Returns the ZEBIN of code whose text has the description of its kernel in a comment; None if it has none.

    Raises:
        CompileError: The description is wrong, or does not fit the code.
    """
    match = _DESCRIPTION.search(request.source)
    if match is None:
        return None
    first = request.source.count("\n", 0, match.start(1))
    if found.entry is None:
        text = f"no label '{ENTRY}': threads begin at the first instruction, with the registers loaded"
        warn(SourceLocation(request.filename, 1, 1), text)
    try:
        # Empty lines in front of the description let its errors have the lines of the whole text.
        return pack(get(request.target), "\n" * first + match[1], found.code, found.entry or 0)
    except ZebinError as error:
        errors = [each for each in error.findings if each.severity is FindingSeverity.ERROR]
        places = [
            (first, 1, str(each))
            if each.location.section or each.location.line is None
            else (each.location.line, each.location.column or 1, _told(each))
            for each in errors
        ]
        raise errors_at(request, places) from None


def _told(finding: Finding) -> str:
    """Returns the text of a finding without its line, which is shown beside it."""
    return str(replace(finding, location=BinaryLocation(path=finding.location.path)))


def editable(text: str, description: str, entry: int | None) -> str:
    """Returns a listing of code with offsets as text to edit, with the description of its kernel.

    It is empty for a description that cannot be in a comment. `entry` is the offset where threads begin, if they do not
    at the first instruction.
    """
    if "*/" in description:
        return ""
    lines = []
    for line in text.split("\n"):
        match = _LISTED.match(line)
        if match is not None and entry is not None and int(match[1], 16) == entry:
            lines.append(f"{ENTRY}:")
        lines.append(line if match is None else line[match.end() :])
    return "\n".join((*lines, "", f"/* .ze_info\n{description.rstrip()}\n*/", ""))


_LISTED = re.compile(r"/\* ([0-9a-f]+) \*/  ")
