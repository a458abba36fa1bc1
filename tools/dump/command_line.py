"""The options of `zebin-dump`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

DESCRIPTION = """\
Show the contents of ZEBINs, or of the ZEBINs in fat binaries. Errors and warnings go to standard error, and the exit
status is 1 if a driver would refuse a file. With --diff, the status is 0 if there are no differences, 1 if there are
some, and 2 if the files cannot be compared."""


@dataclass(frozen=True)
class DumpOptions:
    """The parsed command line; the fields are named after the options."""

    files: Sequence[str]
    json: bool
    yaml: bool
    section: Sequence[str]
    format: str
    validate: bool
    diff: bool
    extract: str | None
    map: bool
    payload: bool
    svg: str | None
    disassemble: bool
    source: bool
    kernel: Sequence[str]
    member: str | None
    target: str | None
    strict: bool
    color: str


def parse(argv: Sequence[str] | None) -> DumpOptions:
    """Parses the command line. Exits with status 2 if the options contradict each other."""
    parser = _parser()
    options = DumpOptions(**vars(parser.parse_intermixed_args(argv)))
    complaint = _complaint(options)
    if complaint:
        parser.error(complaint)
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="zebin-dump", description=DESCRIPTION)
    parser.add_argument("files", nargs="+", metavar="FILE", help="ZEBIN, or ar archive of ZEBINs; - for standard input")
    what = parser.add_argument_group("what to show instead of everything").add_mutually_exclusive_group()
    what.add_argument("--yaml", action="store_true", help="the text of .ze_info, byte for byte")
    what.add_argument(
        "-x",
        "--section",
        action="append",
        default=[],
        metavar="NAME",
        help="only this section, by name or number; repeatable",
    )
    what.add_argument("--validate", action="store_true", help="only errors, warnings and remarks")
    what.add_argument("--diff", action="store_true", help="differences in meaning between two files: OLD NEW")
    what.add_argument("--extract", metavar="DIR", help="write sections, code and .ze_info to files in a new directory")
    what.add_argument("--map", action="store_true", help="memory map of the file")
    what.add_argument("--payload", action="store_true", help="layout of the kernel payloads, by argument")
    form = parser.add_argument_group("how to show it")
    form.add_argument("--json", action="store_true", help="everything, findings or differences as JSON")
    form.add_argument(
        "--format",
        choices=("hex", "text", "raw"),
        default="hex",
        help="for --section: hexadecimal, text or raw bytes",
    )
    form.add_argument(
        "--svg", metavar="OUT", help="with --map or --payload: write an SVG picture; - for standard output"
    )
    form.add_argument("-d", "--disassemble", action="store_true", help="also the instructions of kernels")
    form.add_argument("-S", "--source", action="store_true", help="like --disassemble, interleaved with the source")
    form.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="when to use colors (default: on a terminal)",
    )
    choice = parser.add_argument_group("selection")
    choice.add_argument(
        "-k", "--kernel", action="append", default=[], metavar="NAME", help="only this kernel; repeatable"
    )
    member = choice.add_mutually_exclusive_group()
    member.add_argument("--member", metavar="NAME", help="only this member of a fat binary, for example 64.12.60.7")
    member.add_argument("--target", metavar="GPU", help="the member that a driver chooses for a GPU: pvc, arc, 12.60.7")
    choice.add_argument(
        "--strict", action="store_true", help="treat unknown keys of .ze_info as errors, as new drivers do"
    )
    return parser


def _complaint(options: DumpOptions) -> str:
    """Returns the first conflict between options, empty if there is none."""
    code = options.disassemble or options.source
    partial = bool(options.section or options.extract or options.map)
    rules = (
        (options.diff and len(options.files) != 2, "--diff takes two files"),
        (options.files.count("-") > 1, "standard input can be read once only"),
        (
            code and (options.yaml or options.validate or options.diff or options.payload or partial),
            "--disassemble and --source go with the whole dump or with --json",
        ),
        (
            options.json and (options.yaml or options.payload or partial),
            "--json shows everything, --validate or --diff",
        ),
        (
            bool(options.kernel) and (options.validate or options.diff or partial),
            "--kernel goes with what shows kernels",
        ),
        (options.format != "hex" and not options.section, "--format goes with --section"),
        (options.svg is not None and not (options.map or options.payload), "--svg goes with --map or --payload"),
        (options.svg is not None and len(options.files) > 1, "--svg draws one file"),
    )
    return next((message for broken, message in rules if broken), "")
