"""The command line of `xegpu-opt`: all options of `xdsl-opt`, and some of `mlir-opt`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

from tools.cli import COLOR_CHOICES
from xegpu.targets import TARGETS

_EXAMPLE = "xegpu-opt gemm.mlir --target pvc -t zebin -o gemm.zebin"


def add_arguments(parser: argparse.ArgumentParser, *, passes: Iterable[str], formats: Iterable[str]) -> None:
    """Declares all options on `parser`; the help lists the names of passes and output formats."""
    parser.prog = "xegpu-opt"
    parser.add_argument("input_file", nargs="?", help="input file (default: standard input)")
    parser.add_argument("--version", action="store_true", help="print the version and exit")

    reading = parser.add_argument_group("input")
    reading.add_argument(
        "--split-input-file",
        action="store_true",
        help="split the input at `// -----` lines and process each piece independently",
    )
    reading.add_argument(
        "--allow-unregistered-dialect", action="store_true", help="accept operations of unknown dialects"
    )
    reading.add_argument("--no-implicit-module", action="store_true", help="do not wrap the input in a module")

    running = parser.add_argument_group("passes")
    running.add_argument(
        "-p", "--passes", metavar="PIPELINE", default="", help="pass pipeline, e.g. 'cse,xe-pipeline{target=pvc}'"
    )
    running.add_argument(
        "--target",
        choices=tuple(TARGETS),
        help="compile for this GPU: run xe-pipeline{target=...} after the passes of -p",
    )
    running.add_argument("--help-pass", metavar="NAME", help="describe a pass and its options, and exit")
    running.add_argument(
        "--print-between-passes", action="store_true", help="print the module after each pass but the last"
    )
    running.add_argument("--time-passes", action="store_true", help="print the time of each pass")
    running.add_argument(
        "--dump-pass-pipeline",
        action="store_true",
        help="print the pipeline in a form that -p accepts, before running it",
    )
    running.add_argument(
        "--print-register-pressure",
        action="store_true",
        help="after all passes, print for each xe.kernel the maximum register pressure and its location, and the "
        "registers that allocation used",
    )

    _add_tracing(
        parser.add_argument_group("tracing", "Output goes to standard error; pipelines are traced pass by pass.")
    )

    writing = parser.add_argument_group("output")
    writing.add_argument("-o", "--output", metavar="FILE", help="output file (default: standard output)")
    writing.add_argument(
        "-t", "--output-format", default="mlir", metavar="FORMAT", help=f"{', '.join(formats)} (default: mlir)"
    )
    writing.add_argument(
        "--view-layout",
        metavar="TYPE",
        help="write an HTML page that shows which work-item or subgroup owns each element of a tile, given by a type "
        "with a map, e.g. '!xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>'; reads "
        "no input (-t layout shows all tiles of a file)",
    )
    writing.add_argument("--print-op-generic", action="store_true", help="print operations in generic form")
    writing.add_argument("--print-no-properties", action="store_true", help="print properties as attributes")
    writing.add_argument("--print-debuginfo", action="store_true", help="print the locations of operations")
    writing.add_argument(
        "--color",
        choices=COLOR_CHOICES,
        default="auto",
        help="when to print MLIR with colors (default: on a terminal)",
    )

    checking = parser.add_argument_group("checks")
    checking.add_argument(
        "--disable-verify", action="store_true", help="do not verify the module before and after passes"
    )
    checking.add_argument(
        "--verify-diagnostics",
        action="store_true",
        help="check that diagnostics match the comments of the input, e.g. `// expected-error@+1 {{text}}`; with `-re` "
        "after the kind, {{...}} in the text are regular expressions",
    )
    checking.add_argument(
        "--parsing-diagnostics", action="store_true", help="print parser errors on standard output and succeed"
    )
    checking.add_argument("--shrink", action="store_true", help="succeed only if a pass requests a smaller test case")
    checking.add_argument("--traceback", action="store_true", help="print the Python traceback of errors")

    parser.epilog = f"Passes: {', '.join(sorted(passes))}. Example: {_EXAMPLE}"


class _PassNames(argparse.Action):
    """A comma-separated list of pass names, which may be given several times."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        earlier = getattr(namespace, self.dest)
        setattr(namespace, self.dest, (*earlier, *(name for name in str(values).split(",") if name)))


def _add_tracing(group: argparse._ArgumentGroup) -> None:
    """Declares the options of `mlir-opt` that observe passes, with and without its prefix."""

    def flag(name: str, text: str) -> None:
        group.add_argument(f"--{name}", f"--mlir-{name}", action="store_true", help=text)

    for when in ("before", "after"):
        flag(f"print-ir-{when}-all", f"print the module {when} each pass")
        group.add_argument(
            f"--print-ir-{when}",
            f"--mlir-print-ir-{when}",
            metavar="PASS,...",
            action=_PassNames,
            default=(),
            help=f"print the module {when} these passes",
        )
    flag(
        "print-ir-after-change",
        "print the module after passes only if they changed it (all passes unless some are named)",
    )
    flag("print-ir-after-failure", "print the module after a pass that fails")
    group.add_argument("--mlir-timing", dest="timing", action="store_true", help="print an execution time report")
    group.add_argument(
        "--mlir-timing-display",
        dest="timing_display",
        choices=("tree", "list"),
        default="tree",
        help="print times as a tree, or as a list sorted by time (default: tree)",
    )
