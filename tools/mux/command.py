"""The options of `mux-compile`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tools.cli import CommandParser, ExitStatus, add_kernel, add_output, add_target, refuse_terminal
from xegpu import targets

LANGUAGES = {"opencl": ".cl", "llvm": ".ll", "spirv": ".spv", "spirv-asm": ".spvasm", "mux": ".mux"}
"""The languages of inputs, with the suffix of files that have them; `mux` is what `--emit=mux` writes."""
_FORMS = ("zebin", "llvm", "mux")
_MOST_DIMENSIONS = 3


class MuxOptions(argparse.Namespace):
    """The parsed command line."""

    files: Sequence[str]
    output: str
    target: str
    language: str | None
    options: str
    emit: str
    list_options: bool
    kernel: str | None
    local_size: tuple[int, ...] | None
    global_size: tuple[int, ...] | None
    global_offset: tuple[int, ...] | None


def parse(argv: Sequence[str] | None) -> MuxOptions:
    """Parses the command line. Exits with status 2 if it is wrong."""
    parser = CommandParser(
        "mux-compile",
        "Compile programs in OpenCL C, SPIR-V or LLVM IR to one ZEBIN with the ComputeMux compiler: several files are "
        "linked.",
        examples=(
            "mux-compile kernel.cl -o kernel.zebin",
            "mux-compile kernel.cl library.ll --target=arc --options='-DN=4 -cl-mad-enable --grf-count=256' -o k.zebin",
            "mux-compile kernel.cl -k scale --local-size=16,1 --global-size=256,256 -o scale.zebin",
            "mux-compile --list-options",
        ),
        statuses={ExitStatus.FAILURE: "a program is wrong, or a file cannot be read or written"},
        usage="mux-compile [OPTION...] FILE...",
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="program; - for standard input")
    parser.add_argument(
        "-x",
        "--language",
        choices=tuple(LANGUAGES),
        help=f"the language of all files (default: the one that their names end in: {', '.join(LANGUAGES.values())})",
    )
    add_output(parser)
    add_target(parser, targets.TARGETS, f"the GPU to compile for (default: {targets.DEFAULT_TARGET})")
    parser.add_argument(
        "--options",
        metavar="TEXT",
        default="",
        help="options as programs pass them to OpenCL, and those that --list-options shows",
    )
    parser.add_argument("--list-options", action="store_true", help="list the options of the compiler for the GPU")
    parser.add_argument(
        "--emit",
        choices=_FORMS,
        default="zebin",
        help="write a binary, the finalised LLVM IR, or a module that mux-compile reads again (default: zebin)",
    )
    launch = parser.add_argument_group("specialization for one launch")
    add_kernel(launch, "the kernel to specialise")
    for option, text in (
        ("--local-size", "work-items of a work-group in each dimension"),
        ("--global-size", "work-items in each dimension"),
        ("--global-offset", "first global id in each dimension (default: 0)"),
    ):
        launch.add_argument(option, type=_size, metavar="X,Y,Z", help=text)
    parser.set_defaults(target=targets.DEFAULT_TARGET)
    options = parser.parse(argv, MuxOptions())
    _check(parser, options)
    return options


def _check(parser: CommandParser, options: MuxOptions) -> None:
    """Exits with status 2 if options do not go together."""
    if options.list_options:
        return
    if not options.files:
        parser.error("expected a FILE")
    sizes = (options.local_size, options.global_size)
    if options.kernel is None and (any(sizes) or options.global_offset):
        parser.error("sizes need the name of a kernel: --kernel")
    if options.kernel is not None and not all(sizes):
        parser.error("--kernel needs --local-size and --global-size")
    if options.kernel is not None and options.emit != "zebin":
        parser.error("--kernel writes a ZEBIN")
    if options.emit != "llvm":
        refuse_terminal(options.output)


def _size(text: str) -> tuple[int, ...]:
    """Returns a size of one to three dimensions."""
    parts = text.split(",")
    if len(parts) > _MOST_DIMENSIONS or not all(part.isascii() and part.isdigit() for part in parts):
        raise argparse.ArgumentTypeError(f"'{text}': expected one to three numbers, such as 16,1,1")
    return tuple(map(int, parts))
