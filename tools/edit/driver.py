"""The driver of `zebin-edit`: makes the edits and writes the result."""

from __future__ import annotations

import re
import sys

from tools.asm.inputs import decoded, reported
from tools.cli import CommandError, ReportedError, display_name, read_bytes, write_bytes
from tools.dump.inputs import LISTED, chosen_images, read_binary
from tools.edit.command import EditOptions
from xegpu.isa import AssemblyError
from zebin import ZebinError, device_images, excerpt, is_archive, is_container, read
from zebin.dump import printable
from zebin.editing import EditError, assemble_for, edit, parse_value, replace_code, replace_member

_MOST_TEXT = 256 << 20
_ASSIGNMENT = re.compile(r"((?:[^=\[]|\[[^]]*\])*)=(.*)", re.DOTALL)


def run(options: EditOptions) -> int:
    """Executes the command line and returns 0.

    Raises:
        CommandError: If an edit cannot be made, or a file cannot be read or written.
    """
    data = _edited(options, read_binary(options.file))
    write_bytes(options.file if options.output is None else options.output, data)
    return 0


def _edited(options: EditOptions, data: memoryview) -> bytes:
    """Returns the file with all edits made.

    Raises:
        CommandError: If an edit cannot be made.
    """
    name = display_name(options.file)
    try:
        if not is_container(data):
            if options.member is not None or options.target is not None:
                raise CommandError("not a fat binary, so there are no members to choose from", name)
            return _apply(options, data)
        images = list(device_images(data))
        if not images:
            return _apply(options, data)
        if not (options.extract or is_archive(data)):
            raise CommandError("only members of fat binaries can be replaced: --extract writes a ZEBIN alone", name)
        members = chosen_images(name, images, options.member, options.target)
        if len(members) != 1:
            known = ", ".join(printable(member.name) for member in members[:LISTED]) or "none"
            more = f" and {len(members) - LISTED} more" if len(members) > LISTED else ""
            raise CommandError(f"fat binary: choose one of its members with --member, there are: {known}{more}", name)
        edited = _apply(options, members[0].data)
        return edited if options.extract else replace_member(data, members[0], edited)
    except EditError as error:
        faults = error.findings[1:]
        raise ReportedError("\n".join([f"{name}: error: {error}", *(f"{name}: {fault}" for fault in faults)])) from None
    except ZebinError as error:
        raise ReportedError("\n".join(f"{name}: {finding}" for finding in error.findings)) from None


def _with_code(data: memoryview, replacement: str) -> bytes:
    """Returns the ZEBIN with the code that a file in assembly language has for a kernel, `KERNEL=FILE`."""
    kernel, equals, file = replacement.rpartition("=")
    if not (equals and kernel and file):
        raise EditError(f"--replace-code {excerpt(replacement)}: expected a kernel, '=' and a file")
    name = display_name(file)
    source = decoded(name, read_bytes(file, _MOST_TEXT))
    try:
        code = assemble_for(read(data, lenient=True), kernel, source)
    except AssemblyError as error:
        raise reported(name, error) from None
    replaced = replace_code(data, kernel, code)
    if replaced.remark:
        print(f"zebin-edit: note: {printable(replaced.remark)}", file=sys.stderr)
    return replaced.data


def _apply(options: EditOptions, data: memoryview) -> bytes:
    for text in options.code:
        data = memoryview(_with_code(data, text))
    if not options.edits:
        return bytes(data)
    editor = edit(data)
    for option, text in options.edits:
        if option == "--delete":
            editor.delete(text)
            continue
        match = _ASSIGNMENT.fullmatch(text)
        if match is None:
            raise EditError(f"{option} {excerpt(text)}: expected a path, '=' and a value")
        change = editor.set if option == "--set" else editor.append
        change(match[1], parse_value(match[1], match[2]))
    return editor.binary(force=options.force)
