"""Assembles and disassembles native code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.asm.command import AsmOptions
from tools.asm.inputs import decoded, reported
from tools.cli import CommandError, display_name
from tools.texts.source_text import comments
from xegpu.isa import AssemblyError, DecodeError
from xegpu.isa.code import NO_LINES, LineTable
from xegpu.isa.native import assemble_native, has_encoding, native_lines
from xegpu.targets import DEFAULT_TARGET, TARGETS, Platform

if TYPE_CHECKING:
    from zebin import CodeListing


def requested_platform(options: AsmOptions) -> Platform:
    """Returns the generation of the requested target, or else of the default one; its native code is known."""
    platform = TARGETS[options.target or DEFAULT_TARGET].platform
    if not has_encoding(platform):
        raise CommandError(f"no native encoding for platform {platform.title}", display_name(options.file))
    return platform


def native_assembly(options: AsmOptions, data: bytes) -> bytes:
    """Returns the code of native assembly text."""
    name = display_name(options.file)
    try:
        code = assemble_native(requested_platform(options), decoded(name, data))
    except AssemblyError as error:
        raise reported(name, error) from None
    if not code:
        raise CommandError("no instruction", name)
    return code


def native_disassembly(name: str, code: bytes, options: AsmOptions) -> str:
    """Returns the text of native code."""
    try:
        lines = list(native_lines(requested_platform(options), code))
    except DecodeError as error:
        raise CommandError(str(error), name) from None
    return "".join(f"{_line(offset, text, options)}\n" for offset, text in lines)


def native_listing(name: str, listing: CodeListing, options: AsmOptions, lines: LineTable = NO_LINES) -> str:
    """Returns the text of the native code of a ZEBIN's kernel."""
    if options.cost:
        raise CommandError("--cost estimates code of the virtual ISA, this is native code", name)
    if listing.problem:
        raise CommandError(listing.problem, name)
    notes = comments(lines, listing.offsets)
    text = ""
    for offset, line in listing.lines:
        if offset in notes:
            text += f"// {notes[offset]}\n"
        text += f"{_line(offset, line, options)}\n"
    return text


def _line(offset: int | None, text: str, options: AsmOptions) -> str:
    return f"/* {offset:06x} */  {text}" if options.offsets and offset is not None else text
