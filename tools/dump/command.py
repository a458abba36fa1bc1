"""The options of `zebin-dump`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from tools.cli import (
    CommandParser,
    ExitStatus,
    add_color,
    add_gpu_member,
    add_json,
    add_kernel,
    add_source,
    refuse_terminal,
)

PARTS: Mapping[str, tuple[str, str]] = {
    "file-header": ("", "format and GPU of the file"),
    "kernels": ("", "overview of the kernels"),
    "section-headers": ("", "sections"),
    "notes": ("-n", "notes"),
    "symbols": ("-s", "symbols"),
    "relocations": ("-r", "relocations"),
    "ze-info": ("", "tables of .ze_info"),
}
"""The parts of the whole dump that an option selects, with its short form and its help."""


class DumpOptions(argparse.Namespace):
    """The parsed command line; the fields are named after the options."""

    files: Sequence[str]
    parts: list[str]
    json: bool
    yaml: bool
    list: bool
    demangle: bool
    section: Sequence[str]
    format: str
    validate: bool
    diff: bool
    extract: str | None
    map: bool
    payload: bool
    svg: str | None
    disassemble: bool
    show_raw_insn: bool
    start_address: int | None
    stop_address: int | None
    cfg: bool
    lifetimes: bool
    source: bool
    kernel: Sequence[str]
    member: str | None
    target: str | None
    strict: bool
    color: str

    @property
    def span(self) -> range | None:
        """The byte offsets of the instructions that are shown, None for all."""
        if self.start_address is None and self.stop_address is None:
            return None
        return range(self.start_address or 0, _NO_END if self.stop_address is None else self.stop_address)

    @property
    def failure(self) -> int:
        """The exit status for files that cannot be read: with `--diff`, 1 means that there are differences."""
        return ExitStatus.USAGE if self.diff else ExitStatus.FAILURE


def parse(argv: Sequence[str] | None) -> DumpOptions:
    """Parses the command line. Exits with status 2 if the options contradict each other."""
    parser = _parser()
    options, files = parser.parse_files(argv, DumpOptions())
    options.files = files
    complaint = _complaint(options)
    if complaint:
        parser.error(complaint)
    if options.format == "raw":
        refuse_terminal("-")
    return options


def _parser() -> CommandParser:
    parser = CommandParser(
        "zebin-dump",
        "Show the contents of ZEBINs, also of those in fat binaries, programs and libraries. Errors and warnings go to "
        "standard error.",
        usage="%(prog)s [OPTION ...] FILE [FILE ...]",
        examples=(
            "zebin-dump gemm.zebin",
            "zebin-dump --symbols --relocations gemm.zebin",
            "zebin-dump --source --kernel gemm gemm.zebin",
            "zebin-dump --json gemm.zebin | jq '.ze_info.kernels[].execution_env'",
            "zebin-dump -x .ze_info --format text gemm.zebin",
            "zebin-dump --validate *.zebin",
            "zebin-dump --diff old.zebin new.zebin",
            "zebin-dump --target pvc fat.ar",
            "zebin-dump --list --demangle program",
        ),
        statuses={
            ExitStatus.FAILURE: "a file cannot be read, or a driver would refuse it; with --diff: the files differ",
            ExitStatus.USAGE: "wrong usage; with --diff also: the files cannot be compared",
        },
        notes="FILE is a ZEBIN, or holds some: an ar archive, a program, library or object file of the host, an "
        "offload bundle or binary, or a SYCLBIN; - for standard input. Files that start with - follow --.",
    )
    some = parser.add_argument_group("parts of the dump", "These can be combined; without any, all parts are shown.")
    for part, (short, text) in PARTS.items():
        names = (*filter(None, (short,)), f"--{part}")
        some.add_argument(*names, action="append_const", const=part, dest="parts", default=[], help=text)
    what = parser.add_argument_group("instead of the dump").add_mutually_exclusive_group()
    what.add_argument("--yaml", action="store_true", help="the text of .ze_info, byte for byte")
    what.add_argument(
        "-x",
        "--section",
        action="append",
        default=[],
        metavar="NAME",
        help="only this section, by name or number; repeatable",
    )
    what.add_argument("--list", action="store_true", help="the device code in the file, and its kernels")
    what.add_argument("--validate", action="store_true", help="only errors, warnings and remarks")
    what.add_argument("--diff", action="store_true", help="differences in meaning between two files: OLD NEW")
    what.add_argument("--extract", metavar="DIR", help="write sections, code and .ze_info to files in a new directory")
    what.add_argument("--cfg", action="store_true", help="control-flow graphs of the kernels, in the language DOT")
    what.add_argument("--lifetimes", action="store_true", help="where in the code each general register is live")
    what.add_argument("--map", action="store_true", help="memory map of the file")
    what.add_argument("--payload", action="store_true", help="layout of the kernel payloads, by argument")
    form = parser.add_argument_group("form")
    add_json(form, "everything, findings or differences as JSON")
    form.add_argument(
        "--format",
        choices=("hex", "text", "raw"),
        default="hex",
        help="for --section: hexadecimal, text or raw bytes",
    )
    form.add_argument(
        "--svg", metavar="FILE", help="with --map or --payload: write an SVG picture; - for standard output"
    )
    form.add_argument("-d", "--disassemble", action="store_true", help="also the instructions of kernels")
    add_source(form, "like --disassemble, interleaved with the source")
    form.add_argument(
        "-C", "--demangle", action="store_true", help="names as C++ sources have them, printed and asked for"
    )
    form.add_argument("--show-raw-insn", action="store_true", help="the words of each instruction beside its text")
    for bound, words in (("start", "from this byte offset on"), ("stop", "before this byte offset")):
        form.add_argument(
            f"--{bound}-address", type=_offset, metavar="ADDR", help=f"only instructions {words} in the kernel's code"
        )
    add_color(form)
    choice = parser.add_argument_group("selection")
    add_kernel(choice, "only this kernel", is_repeatable=True)
    add_gpu_member(choice)
    choice.add_argument(
        "--strict", action="store_true", help="treat unknown keys of .ze_info as errors, as new drivers do"
    )
    return parser


_NO_END = 1 << 64


def _offset(text: str) -> int:
    """Returns a byte offset, of which the hexadecimal form begins with 0x."""
    try:
        offset = int(text, 0)
    except ValueError:
        offset = -1
    if offset < 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a byte offset, such as 64 or 0x40")
    return offset


def _complaint(options: DumpOptions) -> str:
    """Returns the first conflict between options, empty if there is none."""
    code = options.disassemble or options.source
    of_code = options.cfg or options.lifetimes
    view = bool(options.yaml or options.validate or options.diff or options.payload or options.list or of_code)
    partial = bool(options.section or options.extract or options.map)
    rules = (
        (options.diff and len(options.files) != 2, "--diff takes two files"),
        (options.files.count("-") > 1, "standard input can be read once only"),
        (
            bool(options.parts) and (view or partial or options.json or bool(options.kernel)),
            f"--{next(iter(options.parts), '')} selects a part of the whole dump",
        ),
        (code and (view or partial), "--disassemble and --source go with the whole dump or with --json"),
        (
            options.json and (options.yaml or options.payload or of_code or partial),
            "--json shows everything, --list, --validate or --diff",
        ),
        (
            bool(options.kernel) and (options.validate or options.diff or options.list or partial),
            "--kernel goes with what shows kernels",
        ),
        (options.demangle and options.json, "--demangle does not go with --json: programs know names as they are"),
        (
            (options.show_raw_insn or options.span is not None) and (options.json or not code),
            "--show-raw-insn, --start-address and --stop-address go with --disassemble or --source",
        ),
        (options.span is not None and not options.span, "--start-address is not below --stop-address"),
        (options.format != "hex" and not options.section, "--format goes with --section"),
        (options.svg is not None and not (options.map or options.payload), "--svg goes with --map or --payload"),
        (options.svg is not None and len(options.files) > 1, "--svg draws one file"),
    )
    return next((message for broken, message in rules if broken), "")
