"""`zebin-edit`: changes `.ze_info` of a ZEBIN and leaves every other byte unchanged."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tools.dump.inputs import InputError, chosen_members, display_name, read_bytes, reason
from tools.dump.output import complain, finish, prepare_streams
from zebin import ZebinError, excerpt, is_archive, read_archive
from zebin.editing import EditError, edit, parse_value, replace_member

DESCRIPTION = """\
Change .ze_info of a ZEBIN. Edits are made in the given order. PATH is for example
kernels[gemm].execution_env.grf_count; items of lists are selected by number or name. All other bytes of the file stay
unchanged. Edits that would make a driver refuse the file are rejected. To inspect the result, use
zebin-dump --diff FILE OUT."""

_ASSIGNMENT = re.compile(r"((?:[^=\[]|\[[^]]*\])*)=(.*)", re.DOTALL)

Edit = tuple[str, str]
"""An option and its argument."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns 0, or 1 if an edit cannot be made. Wrong usage exits with status 2."""
    prepare_streams()
    arguments = _parse(argv)
    return finish(partial(_run, arguments), 1)


def _run(arguments: argparse.Namespace) -> int:
    try:
        data = _edited(arguments, read_bytes(arguments.file))
        _write(arguments.file if arguments.in_place else arguments.output, data)
    except InputError as error:
        complain(str(error))
        return 1
    return 0


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="zebin-edit", description=DESCRIPTION)
    parser.add_argument("file", metavar="FILE", help="ZEBIN or fat binary; - for standard input")
    for option, metavar, words in (
        ("--set", "PATH=VALUE", "set a key, adding it if it is missing"),
        (
            "--append",
            "PATH=JSON",
            'append an item to a list, for example binding_table_indices={"bti_value": 3, "arg_index": 3}',
        ),
        ("--delete", "PATH", "remove a key and everything below it, or an item of a list"),
    ):
        parser.add_argument(option, action=_InOrder, dest="edits", default=[], metavar=metavar, help=words)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("-o", "--output", metavar="OUT", help="where to write the result; - for standard output")
    where.add_argument("--in-place", action="store_true", help="write the result to FILE")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--member", metavar="NAME", help="the member of a fat binary to change, for example 64.12.60.7")
    choice.add_argument("--target", metavar="GPU", help="the member that a driver chooses for a GPU: pvc, arc, 12.60.7")
    parser.add_argument("--force", action="store_true", help="write the result even if a driver would refuse it")
    arguments = parser.parse_args(argv)
    if not arguments.edits:
        parser.error("nothing to do: give --set, --append or --delete")
    if arguments.in_place and arguments.file == "-":
        parser.error("--in-place needs a file")
    if arguments.output == "-" and sys.stdout.isatty():
        parser.error("the result is binary and standard output is a terminal: name a file with -o")
    return arguments


class _InOrder(argparse.Action):
    """Collects several options in one list, in the order of the command line."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        edits: list[Edit] = [*getattr(namespace, self.dest), (option_string or "", str(values))]
        setattr(namespace, self.dest, edits)


def _edited(arguments: argparse.Namespace, data: memoryview) -> bytes:
    """Returns the file with all edits made.

    Raises:
        InputError: If an edit cannot be made.
    """
    name = display_name(arguments.file)
    try:
        if not is_archive(data):
            if arguments.member is not None or arguments.target is not None:
                raise InputError(f"{name}: error: not a fat binary, so there are no members to choose from")
            return _apply(arguments, data)
        members = chosen_members(name, read_archive(data), arguments.member, arguments.target)
        if len(members) != 1:
            known = ", ".join(member.name for member in members) or "none"
            raise InputError(f"{name}: error: fat binary: choose one of its members with --member, there are: {known}")
        return replace_member(data, members[0], _apply(arguments, members[0].data))
    except EditError as error:
        faults = error.findings[1:]
        raise InputError("\n".join([f"{name}: error: {error}", *(f"{name}: {fault}" for fault in faults)])) from None
    except ZebinError as error:
        raise InputError("\n".join(f"{name}: {finding}" for finding in error.findings)) from None


def _apply(arguments: argparse.Namespace, data: memoryview) -> bytes:
    editor = edit(data)
    edits: list[Edit] = arguments.edits
    for option, text in edits:
        if option == "--delete":
            editor.delete(text)
            continue
        match = _ASSIGNMENT.fullmatch(text)
        if match is None:
            raise EditError(f"{option} {excerpt(text)}: expected a path, '=' and a value")
        change = editor.set if option == "--set" else editor.append
        change(match[1], parse_value(match[1], match[2]))
    return editor.binary(force=arguments.force)


def _write(file: str, data: bytes) -> None:
    """Writes the result. A file is replaced completely or not at all, because it may be the one that was read."""
    if file == "-":
        sys.stdout.buffer.write(data)
        return
    try:
        if Path(file).exists() and not Path(file).is_file():
            Path(file).write_bytes(data)
        else:
            _replace(Path(file).resolve(), data)
    except (OSError, ValueError) as error:
        raise InputError(f"{display_name(file)}: error: cannot be written: {reason(error)}") from None


def _replace(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        if path.exists():
            shutil.copymode(path, name)
        else:
            mask = os.umask(0)
            os.umask(mask)
            Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


if __name__ == "__main__":
    sys.exit(main())
