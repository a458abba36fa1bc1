"""The command line of `xegpu-opt`: all options of `xdsl-opt`, and a few more."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence


def add_arguments(
    parser: argparse.ArgumentParser, *, frontends: Iterable[str], passes: Iterable[str], targets: Iterable[str]
) -> None:
    """Declares every option on `parser`; the names of what may be chosen are shown in the help."""
    parser.prog = "xegpu-opt"
    parser.add_argument("input_file", nargs="?", help="file to read; standard input if missing or -")
    parser.add_argument("-v", "--version", action="store_true", help="show the version and stop")

    reading = parser.add_argument_group("input")
    reading.add_argument("-f", "--frontend", choices=list(frontends), default="mlir", help="language of the input")
    reading.add_argument(
        "--split-input-file", action="store_true", help="treat the pieces between `// -----` lines one by one"
    )
    reading.add_argument(
        "--allow-unregistered-dialect", action="store_true", help="accept operations of unknown dialects"
    )
    reading.add_argument("--no-implicit-module", action="store_true", help="do not put a module around the input")

    running = parser.add_argument_group("passes")
    running.add_argument(
        "-p", "--passes", metavar="PIPELINE", default="", help="passes to run, as in 'cse,xe-pipeline{target=pvc}'"
    )
    running.add_argument("--help-pass", metavar="NAME", help="describe a pass and its options, and stop")
    running.add_argument(
        "--print-between-passes", action="store_true", help="show the module after each pass but the last"
    )
    running.add_argument("--time-passes", action="store_true", help="show how long each pass takes")
    running.add_argument(
        "--dump-pass-pipeline", action="store_true", help="show all passes that will run, in a form that -p takes"
    )
    running.add_argument(
        "--print-register-pressure",
        action="store_true",
        help="behind the passes, show for each xe.kernel how many registers are live at most and where, and how many "
        "allocation used",
    )

    _add_tracing(parser.add_argument_group("tracing", "Pipelines are shown pass by pass, on standard error."))

    writing = parser.add_argument_group("output")
    writing.add_argument("-o", "--output-file", metavar="FILE", help="file to write; standard output if missing")
    writing.add_argument("-t", "--target", default="mlir", help=f"what to write: {', '.join(targets)}")
    writing.add_argument(
        "--view-layout",
        metavar="TYPE",
        help="instead of reading a file, write a page (HTML) that shows which work-item or subgroup has which element "
        "of a tile: that of a type with a map, such as '!xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = "
        "[1, 16], wi_data = [1, 1]>>'; -t layout shows all tiles of a file",
    )
    writing.add_argument("--print-op-generic", action="store_true", help="write operations in generic form")
    writing.add_argument("--print-no-properties", action="store_true", help="write properties as attributes")
    writing.add_argument("--print-debuginfo", action="store_true", help="write the location of each operation")
    writing.add_argument("--syntax-highlight", action="store_true", help="write colors for a terminal")

    checking = parser.add_argument_group("checks")
    checking.add_argument(
        "--disable-verify", action="store_true", help="do not check the module before and after passes"
    )
    checking.add_argument(
        "--verify-diagnostics",
        action="store_true",
        help="check that the input gives just the messages that its comments expect, as in "
        "`// expected-error@+1 {{text}}`; with `-re` after the kind, {{...}} in the text are regular expressions",
    )
    checking.add_argument(
        "--parsing-diagnostics", action="store_true", help="show an error of the parser on standard output and succeed"
    )
    checking.add_argument("--shrink", action="store_true", help="succeed only if a pass asks for a smaller test case")
    checking.add_argument("--traceback", action="store_true", help="also show where in the compiler an error arose")

    parser.epilog = f"Passes: {', '.join(sorted(passes))}."


class _PassNames(argparse.Action):
    """Names with commas between them; the option may stand several times."""

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
    """Options of `mlir-opt` that look on while passes run, with and without its prefix."""

    def flag(name: str, text: str) -> None:
        group.add_argument(f"--{name}", f"--mlir-{name}", action="store_true", help=text)

    for when in ("before", "after"):
        flag(f"print-ir-{when}-all", f"show the module {when} each pass")
        group.add_argument(
            f"--print-ir-{when}",
            f"--mlir-print-ir-{when}",
            metavar="PASS,...",
            action=_PassNames,
            default=(),
            help=f"show the module {when} these passes",
        )
    flag("print-ir-after-change", "show the module after passes (all, if none are named) only if they changed it")
    flag("print-ir-after-failure", "show the module after a pass that fails")
    group.add_argument("--mlir-timing", dest="timing", action="store_true", help="show where the time goes")
    group.add_argument(
        "--mlir-timing-display",
        dest="timing_display",
        choices=("tree", "list"),
        default="tree",
        help="show times as a tree, or as a list by total time",
    )
