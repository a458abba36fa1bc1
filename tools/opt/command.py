"""The options of `xegpu-opt`: its own and those of `mlir-opt` and `xdsl-opt` that make sense here."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import passes
from passes import ELSEWHERE, RENAMED
from tools.cli import CommandParser, add_color, add_op_level, add_output, add_target, complete_list
from tools.opt.output_formats import OUTPUT_FORMATS
from xegpu.targets import TARGETS

_FOREIGN: Mapping[str, str] = {
    **{f"--{name}": instead for name, instead in ELSEWHERE.items()},
    "--convert-scf-to-cf": "kernels keep scf; host code is lowered by xegpu-run",
    "--emit-bytecode": "text is written only",
    "--output-file": "use -o",
    "--syntax-highlight": "use --color=always",
    "--frontend": "MLIR is read only",
    "--verify-each": "use --disable-verify",
    "--mlir-print-ir-tree-dir": "use --mlir-print-ir-after-all",
    "--gpu-lower-to-xevm-pipeline": "use --target pvc, with --op-level=LEVEL for xegpu-op-level=LEVEL",
    "--dump-pass-pipelines": "use --dump-pass-pipeline",
}
"""Options of `mlir-opt` and `xdsl-opt` that do not exist here, with what to do."""


class OptOptions(argparse.Namespace):
    """The parsed command line."""

    input_file: str
    split_input_file: bool
    allow_unregistered_dialect: bool
    no_implicit_module: bool
    import_llvm: bool
    import_spirv: bool
    print_import: bool
    passes: list[str]
    target: str | None
    op_level: str | None
    help_pass: str | None
    list_passes: bool
    show_dialects: bool
    print_between_passes: bool
    time_passes: bool
    dump_pass_pipeline: bool
    print_register_pressure: bool
    print_ir_before_all: bool
    print_ir_before: Sequence[str]
    print_ir_after_all: bool
    print_ir_after: Sequence[str]
    print_ir_after_change: bool
    print_ir_after_failure: bool
    timing: bool
    timing_display: str
    output: str
    output_format: str
    view_layout: str | None
    print_op_generic: bool
    print_no_properties: bool
    print_debuginfo: bool
    strip_debug: bool
    debug_prefix_map: Mapping[str, str]
    color: str
    disable_verify: bool
    verify_diagnostics: bool
    parsing_diagnostics: bool
    shrink: bool
    traceback: bool


def parse(argv: Sequence[str] | None) -> OptOptions:
    """Parses the command line. Exits with status 2 if it is wrong."""
    parser = _parser()
    words = list(_with_passes(parser.with_two_dashes(sys.argv[1:] if argv is None else argv)))
    for word in words:
        if (option := word.partition("=")[0]) in _FOREIGN:
            parser.error(f"unrecognized arguments: {word}; {_FOREIGN[option]}")
    for word, following in pairwise([*words, ""]):
        value = following if word == "--target" else word.removeprefix("--target=")
        if word.startswith("--target") and value in OUTPUT_FORMATS:
            parser.error(f"argument --target: '{value}' is an output format, not a GPU: use -t {value}")
    return parser.parse(words, OptOptions())


def pass_names() -> list[str]:
    """Returns the names of all passes, those of xDSL after ours."""
    ours = list(passes.registry())
    return [*ours, *sorted(set(passes.available()) - set(ours))]


def _with_passes(words: Sequence[str]) -> Iterator[str]:
    """Yields the command line with `-p NAME{OPTIONS}` in place of `--NAME=OPTIONS`, for every pass."""
    known = {*pass_names(), *RENAMED}
    for number, word in enumerate(words):
        if word == "--":
            yield from words[number:]
            return
        name, _, options = word.lstrip("-").partition("=")
        if word.startswith("-") and name in known:
            yield "-p"
            yield f"{name}{{{options}}}" if options else name
        else:
            yield word


def _parser() -> CommandParser:
    parser = CommandParser(
        "xegpu-opt",
        "Optimize and compile MLIR for Intel Xe GPUs.",
        usage="%(prog)s [OPTION ...] [FILE]",
        components=("xdsl",),
        notes=_described_passes(),
        examples=(
            "xegpu-opt gemm.mlir --target pvc -t zebin -o gemm.zebin",
            "xegpu-opt gemm.mlir --target arc -t xe-asm",
            "xegpu-opt gemm.mlir -p 'gpu-inline-calls,xetile-blocking{target=pvc}'",
            "xegpu-opt gemm.mlir --pass-pipeline='builtin.module(gpu.module(canonicalize,cse))'",
            "xegpu-opt gemm.mlir --canonicalize --cse --mlir-print-ir-after-all",
            "xegpu-opt --help-pass xe-pipeline",
        ),
    )
    parser.add_argument(
        "input_file",
        metavar="FILE",
        nargs="?",
        default="-",
        help="MLIR text, LLVM IR (.ll) or OpenCL C (.cl); - for standard input, as without FILE",
    )

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

    reading.add_argument(
        "--import-llvm",
        action="store_true",
        help="read LLVM IR with kernels for SPIR; files that end in .ll are, and those in .cl are OpenCL C for clang",
    )

    reading.add_argument(
        "--import-spirv",
        action="store_true",
        help="read SPIR-V in the text of spirv-as; files that end in .spvasm are, and modules in words are noticed",
    )
    reading.add_argument(
        "--print-import",
        action="store_true",
        help="print each stage on the way to MLIR to standard error: SPIR-V, LLVM IR, optimised LLVM IR",
    )

    _add_passes(
        parser.add_argument_group("passes", "Each pass is also an option: --PASS or --PASS='OPTION=VALUE ...'.")
    )
    _add_tracing(
        parser.add_argument_group("tracing", "Output goes to standard error; pipelines are traced pass by pass.")
    )

    writing = parser.add_argument_group("output")
    add_output(writing)
    writing.add_argument(
        "-t",
        "--output-format",
        default="mlir",
        metavar="FORMAT",
        help=f"{', '.join(OUTPUT_FORMATS)}, or a format of xDSL (default: mlir)",
    )
    writing.add_argument(
        "--view-layout",
        metavar="TYPE",
        help="write an HTML page that shows which work-item or subgroup owns each element of a tile, given by a type "
        "with a map, e.g. '!xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>'; reads "
        "no input (-t layout shows all tiles of a file)",
    )
    writing.add_argument(
        "--print-op-generic", "--mlir-print-op-generic", action="store_true", help="print operations in generic form"
    )
    writing.add_argument("--print-no-properties", action="store_true", help="print properties as attributes")
    writing.add_argument(
        "--print-debuginfo",
        "--mlir-print-debuginfo",
        action="store_true",
        help="print the locations of operations",
    )
    writing.add_argument(
        "-g0", "--strip-debug", action="store_true", help="leave source locations out of a ZEBIN, as in a release"
    )
    writing.add_argument(
        "--debug-prefix-map",
        metavar="OLD=NEW",
        action=_PrefixMap,
        default={},
        help="write source paths that start with OLD with NEW instead, so that a ZEBIN is the same for every folder; "
        "repeatable",
    )
    add_color(writing)

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
    return parser


def _described_passes() -> str:
    """Returns the list of passes for the help."""
    summaries = passes.summaries()
    width = max(map(len, summaries))
    return "\n".join(
        (
            "passes:",
            *(f"  {name:{width}}  {summary}" for name, summary in summaries.items()),
            "",
            "  and those of xDSL, such as canonicalize, cse and dce (--list-passes names all)",
        )
    )


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


class _PrefixMap(argparse.Action):
    """Replacements for the starts of paths; the option may be given several times."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        old, equals, new = str(values).partition("=")
        if not equals or not old:
            parser.error(f"argument --debug-prefix-map: expected OLD=NEW, got {str(values)!r}")
        setattr(namespace, self.dest, {**getattr(namespace, self.dest), old: new})


def _add_passes(group: argparse._ArgumentGroup) -> None:
    pipeline = group.add_argument(
        "-p",
        "--passes",
        "--pass-pipeline",
        dest="passes",
        metavar="PIPELINE",
        action="append",
        default=[],
        help="passes to run, e.g. 'cse,xetile-blocking{target=pvc}' or 'builtin.module(gpu.module(cse))'; repeatable",
    )
    add_target(group, TARGETS, "compile for this GPU: run xe-pipeline{target=...} after all other passes")
    add_op_level(group, "whose values operations of XeGPU have, with --target (default: inferred)")
    described = group.add_argument("--help-pass", metavar="NAME", help="describe a pass and its options, and exit")
    for action in (pipeline, described):
        complete_list(action, pass_names)
    group.add_argument("--list-passes", action="store_true", help="print the names of all passes, and exit")
    group.add_argument("--show-dialects", action="store_true", help="print the names of all dialects, and exit")
    group.add_argument(
        "--print-between-passes", action="store_true", help="print the module after each pass but the last"
    )
    group.add_argument("--time-passes", action="store_true", help="print the time of each pass")
    group.add_argument(
        "--dump-pass-pipeline",
        action="store_true",
        help="print the pipeline in a form that -p accepts, before running it",
    )
    group.add_argument(
        "--print-register-pressure",
        action="store_true",
        help="after all passes, print for each xe.kernel the maximum register pressure and its location, and the "
        "registers that allocation used",
    )


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
    group.add_argument(
        "--mlir-disable-threading",
        "--mlir-print-ir-module-scope",
        action="store_true",
        help="ignored: one thread runs the passes, and the whole module is printed",
    )
