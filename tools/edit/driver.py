"""The driver of `zebin-edit`: makes the edits and writes the result."""

from __future__ import annotations

import re

from tools.cli import CommandError, ReportedError, display_name, write_bytes
from tools.dump.inputs import chosen_members, read_binary
from tools.edit.command import EditOptions
from zebin import ZebinError, excerpt, is_archive, read_archive
from zebin.editing import EditError, edit, parse_value, replace_member

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
        if not is_archive(data):
            if options.member is not None or options.target is not None:
                raise CommandError("not a fat binary, so there are no members to choose from", name)
            return _apply(options, data)
        members = chosen_members(name, read_archive(data), options.member, options.target)
        if len(members) != 1:
            known = ", ".join(member.name for member in members) or "none"
            raise CommandError(f"fat binary: choose one of its members with --member, there are: {known}", name)
        return replace_member(data, members[0], _apply(options, members[0].data))
    except EditError as error:
        faults = error.findings[1:]
        raise ReportedError("\n".join([f"{name}: error: {error}", *(f"{name}: {fault}" for fault in faults)])) from None
    except ZebinError as error:
        raise ReportedError("\n".join(f"{name}: {finding}" for finding in error.findings)) from None


def _apply(options: EditOptions, data: memoryview) -> bytes:
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
