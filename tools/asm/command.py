"""The options of `xe-asm`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tools.cli import CommandParser, add_kernel, add_output, add_source, add_target, refuse_terminal
from xegpu.targets import DEFAULT_TARGET, TARGETS


class AsmOptions(argparse.Namespace):
    """The parsed command line."""

    file: str
    output: str
    disassemble: bool
    target: str | None
    kernel: str | None
    offsets: bool
    cost: bool
    native: bool
    check_hazards: bool
    source: bool


def parse(argv: Sequence[str] | None) -> AsmOptions:
    """Parses the command line. Exits with status 2 if it is wrong."""
    parser = CommandParser(
        "xe-asm",
        "Assemble text to the code of one kernel (header word and instructions), or disassemble it. Instructions are "
        "checked against the GPU.",
        examples=(
            "xe-asm kernel.asm -o kernel.bin",
            "xe-asm -d kernel.bin",
            "xe-asm -d --offsets gemm.zebin --kernel gemm",
            "xegpu-opt gemm.mlir --target pvc -t zebin | xe-asm -d --cost -",
            "xe-asm --native --target arc kernel.asm -o kernel.bin",
            "xe-asm --check-hazards vadd.pvc.zebin",
        ),
    )
    parser.add_argument("file", metavar="FILE", help="assembly text, or code or a ZEBIN with -d; - for standard input")
    add_output(parser)
    add_target(parser, TARGETS, f"GPU to check against (default: by register size, of native code {DEFAULT_TARGET})")
    parser.add_argument("--native", action="store_true", help="native code, in the syntax of Intel's assembler")
    parser.add_argument(
        "--check-hazards",
        action="store_true",
        help="check that the instructions of native code or of a ZEBIN wait for what they depend on",
    )
    listing = parser.add_argument_group("disassembly")
    listing.add_argument("-d", "--disassemble", action="store_true", help="disassemble code to text")
    add_kernel(listing, "only this kernel of a ZEBIN")
    listing.add_argument("--offsets", action="store_true", help="print the byte offset of each instruction")
    listing.add_argument("--cost", action="store_true", help="print the estimated cycles per instruction")
    add_source(listing, "print the source lines of instructions")
    options = parser.parse(argv, AsmOptions())
    if options.native and options.cost:
        parser.error("--cost estimates code of the virtual ISA, not --native code")
    if options.check_hazards and (options.disassemble or options.offsets or options.cost or options.source):
        parser.error("--check-hazards shows no code: not with -d, --offsets, --cost and --source")
    if options.disassemble or options.check_hazards:
        return options
    if options.kernel is not None or options.offsets or options.cost or options.source:
        parser.error("--kernel, --offsets, --cost and --source require -d")
    refuse_terminal(options.output)
    return options
