"""The command line of `xegpu-run`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from tools.cli import CommandParser, ExitStatus, add_check, add_kernel, add_lower_with, add_op_level, add_target
from xegpu.targets import DEFAULT_TARGET, TARGETS

T = TypeVar("T")

ENGINES = ("jit", "interpreter")
"""The engines of the simulator, spelled out because loading it takes longer than printing the help."""

_VALUES = """\
values of --arg and --expect:
  f32:1.5  index:64  i1:true        a scalar
  zeros:256x64xbf16  ones:1024xf32  an array, by shape and element type
  fill:1024xf32:1.5                 an array of one number
  arange:1024xi32:0:2               from a start, by a step (both optional)
  random:256x256xbf16:7             with a seed; floats from -1 to 1, small integers
  a.npy  a.npy:bf16                 a file, converted to an element type
  local:4096  local:4K              bytes of local memory behind a pointer"""

FORMS = (
    "TYPE:NUMBER, zeros:SHAPE, ones:SHAPE, fill:SHAPE:NUMBER, arange:SHAPE, random:SHAPE[:SEED], FILE.npy[:TYPE], "
    "local:BYTES, image:FORMAT[,TYPE]:ARRAY or sampler:ADDRESSING[:FILTER[:normalized]]"
)
"""The forms of values, for messages."""


METRIC_FORMATS = ("text", "json", "timeline")
"""The formats of metrics."""


@dataclass(frozen=True)
class ArgumentSelection:
    """An argument, selected by number or name, with the text after the `=`."""

    argument: str
    text: str


@dataclass
class RunOptions(argparse.Namespace):
    """The parsed command line."""

    file: str = ""
    kernel: str | None = None
    entry_point: str | None = None
    grid: tuple[int, ...] | None = None
    group: tuple[int, ...] | None = None
    arg: list[str] = field(default_factory=list)
    out: list[ArgumentSelection] = field(default_factory=list)
    print: list[str] = field(default_factory=list)
    expect: list[ArgumentSelection] = field(default_factory=list)
    rtol: float | None = None
    atol: float | None = None
    target: str | None = None
    op_level: str | None = None
    engine: str | None = None
    pipeline: str | None = None
    lower_with: str | None = None
    build_options: str | None = None
    igc: bool = False
    filecheck: str | None = None
    dump_dir: str | None = None
    entry_point_result: str | None = None
    shared_libs: list[str] = field(default_factory=list)
    threads: int | None = None
    check: str | None = None
    profile: list[str] = field(default_factory=list)
    metrics: str | None = None
    metrics_format: str | None = None
    metrics_output: list[str] = field(default_factory=list)
    time_limit: float | None = None
    memory_limit: str | None = None
    trace: str | None = None
    trace_json: bool = False
    trace_limit: int | None = None
    trace_output: str | None = None
    debug: bool = False
    breakpoints: list[str] = field(default_factory=list)
    quiet: bool = False


def parse(argv: Sequence[str] | None) -> RunOptions:
    """Parses the command line. Exits with status 2 if it is wrong."""
    parser = CommandParser(
        "xegpu-run",
        "Run a whole MLIR program, or a single kernel of MLIR, OpenCL C (.cl), LLVM IR (.ll), SPIR-V or a ZEBIN, on a "
        "simulated GPU.",
        usage="%(prog)s [OPTION ...] FILE",
        notes=_VALUES,
        examples=(
            "xegpu-run softmax.mlir --filecheck",
            "xegpu-run vector_add.mlir --grid 64 --arg arange:4096xf32 --arg ones:4096xf32 --arg zeros:4096xf32 "
            "--print 2",
            "xegpu-run gemm.zebin -k gemm --grid 32,16 --arg a.npy:bf16 --arg b.npy:bf16 --arg zeros:256x256xf32 "
            "--expect 2=c.npy",
            "xegpu-run reduce.cl --build-options=-DN=8 --grid 4 --group 64 --arg ones:256xf32 --arg zeros:4xf32 "
            "--arg local:256 --print 1",
            "xegpu-run linalg_matmul.mlir --lower-with mlir-opt",
            "xegpu-run vector_add.mlir --grid 64 --arg ... --check=all",
            "xegpu-run vector_add.mlir --grid 64 --arg ... --metrics ComputeBasic --metrics-output=m.trace.json",
            "xegpu-run vector_add.mlir --grid 64 --arg ... --trace=group=3,line=12-13,lane=0-3",
            "xegpu-run vector_add.mlir --grid 64 --arg ... --break '13 if group_x == 3'",
        ),
        statuses={ExitStatus.FAILURE: "the kernel cannot run, fails, or computes unexpected results"},
    )
    parser.add_argument(
        "file", metavar="FILE", help="ZEBIN, file with device code, MLIR, .cl, .ll or .spv file; - for standard input"
    )
    launch = parser.add_argument_group("launch")
    launch.add_argument(
        "-e",
        "--entry-point",
        metavar="NAME",
        help="host function that a whole program starts with (default: main, if there is one)",
    )
    add_kernel(launch, "kernel to run; required if the file contains several")
    launch.add_argument(
        "--grid", type=_value(_counts(0)), metavar="X[,Y[,Z]]", help="number of work-groups (default: known_grid_size)"
    )
    launch.add_argument(
        "--group",
        type=_value(_counts(1)),
        metavar="X[,Y[,Z]]",
        help="work-items per work-group, or subgroups for a subgroup-level kernel "
        "(default: what the kernel requires or suggests; one subgroup if it does not number its work-items)",
    )
    launch.add_argument("--arg", action="append", metavar="VALUE", help=f"value of the next argument: {FORMS}")
    add_target(launch, TARGETS, f"simulated GPU (default: that of the ZEBIN, {DEFAULT_TARGET} for MLIR)")
    add_op_level(launch, "whose values operations of XeGPU have (default: that of the RUN line, or inferred)")
    launch.add_argument(
        "--pipeline", metavar="PASSES", help="pass pipeline that compiles the kernels, as for xegpu-opt -p"
    )
    add_lower_with(launch)
    launch.add_argument(
        "--build-options", metavar="OPTIONS", help="options of clang for OpenCL C, e.g. '-DN=4 -Iinclude'"
    )
    launch.add_argument(
        "--igc", action="store_true", help="compile OpenCL C or SPIR-V to native code by Intel's compiler (ocloc)"
    )

    results = parser.add_argument_group("results (I is the number or name of an argument)")
    results.add_argument(
        "--out", action="append", type=_value(_selection), metavar="I=FILE.npy", help="write an array to a file"
    )
    results.add_argument("--print", action="append", metavar="I", help="print an array, abbreviated if it is large")
    results.add_argument(
        "--expect",
        action="append",
        type=_value(_selection),
        metavar="I=VALUE",
        help="compare an array with a value; NaNs compare equal",
    )
    results.add_argument(
        "--rtol", type=_value(_tolerance), help="relative tolerance (default: 1e-5, or 1e-2 for at most 16 bits)"
    )
    results.add_argument(
        "--atol", type=_value(_tolerance), help="absolute tolerance (default: 1e-8, or 1e-3 for at most 16 bits)"
    )
    results.add_argument(
        "--filecheck",
        nargs="?",
        const="",
        metavar="PREFIXES",
        help="check the output of a program against the CHECK lines of its file (default: prefixes of its RUN line)",
    )
    results.add_argument("-q", "--quiet", action="store_true", help="do not summarize the launches")

    foreign = parser.add_argument_group("compatibility with mlir-runner")
    foreign.add_argument(
        "--entry-point-result", choices=("void", "i32", "i64", "f32"), help="result type of the entry point"
    )
    foreign.add_argument(
        "--shared-libs", action="append", metavar="FILES", help="ignored: the runner libraries are built in"
    )

    machine = parser.add_argument_group("machine")
    machine.add_argument(
        "--engine",
        choices=ENGINES,
        help="execution engine (default: jit, or interpreter for options that need it)",
    )
    machine.add_argument(
        "--threads", type=_value(_positive), metavar="N", help="number of host threads (default: one per core)"
    )
    machine.add_argument(
        "--time-limit", type=_value(_seconds), metavar="SECONDS", help="fail launches that take longer"
    )
    machine.add_argument(
        "--memory-limit",
        metavar="BYTES",
        help="memory limit for all arrays together, e.g. 512M or 4G",
    )

    looking = parser.add_argument_group("analysis (uses the interpreter, except for profiles and metrics)")
    looking.add_argument(
        "--profile",
        nargs="?",
        const="-",
        action="append",
        metavar="FILE",
        help="profile the launches, with either engine; --profile=FILE writes text or, by its extension, .json, "
        ".trace.json (for Chrome's trace viewer) or .svg (a roofline); repeatable",
    )
    looking.add_argument(
        "--metrics",
        metavar="GROUPS",
        help="measure metric groups, e.g. ComputeBasic or InstructionMix,MemoryProfile, with either engine",
    )
    looking.add_argument(
        "--metrics-format",
        choices=METRIC_FORMATS,
        help="format in which metrics are printed (default: text); timeline is for Chrome's trace viewer and Perfetto",
    )
    looking.add_argument(
        "--metrics-output",
        action="append",
        metavar="FILE",
        help="write metrics to a file instead: as text or, by its extension, .json or .trace.json (a time line); "
        "repeatable",
    )
    add_check(looking)
    looking.add_argument(
        "--trace",
        nargs="?",
        const="",
        metavar="FILTER",
        help="trace executed instructions with their values; --trace=FILTER selects some, e.g. "
        "group=1:0:0,subgroup=0,lane=0-3,index=4-9,offset=0x40,line=12",
    )
    looking.add_argument(
        "--trace-limit",
        type=_value(_positive),
        metavar="N",
        help="maximum number of traced instructions (default: 10000)",
    )
    looking.add_argument("--trace-json", action="store_true", help="write the trace as one JSON object per instruction")
    looking.add_argument("--trace-output", metavar="FILE", help="file for the trace (default: standard output)")
    looking.add_argument(
        "--dump-dir", metavar="DIRECTORY", help="write every stage of a program to files in this directory"
    )
    looking.add_argument("--debug", action="store_true", help="debug: stop at the first instruction and read commands")
    looking.add_argument(
        "--break",
        dest="breakpoints",
        action="append",
        metavar="'LOCATION [if CONDITION]'",
        help="debug: stop at LINE, FILE:LINE, #INDEX, *OFFSET or a label, and read commands",
    )
    options = parser.parse(argv, RunOptions())
    options.arg, options.out, options.print = options.arg or [], options.out or [], options.print or []
    options.expect, options.breakpoints = options.expect or [], options.breakpoints or []
    options.profile, options.shared_libs = options.profile or [], options.shared_libs or []
    options.metrics_output = options.metrics_output or []
    if options.engine == "jit" and (options.trace is not None or options.debug or options.breakpoints):
        parser.error("--trace, --debug and --break require the interpreter, not the jit")
    if options.time_limit is not None and (options.debug or options.breakpoints):
        parser.error("--time-limit cannot be combined with --debug or --break: time passes while the kernel is stopped")
    if options.file == "-" and (options.debug or options.breakpoints):
        parser.error("the input and the commands cannot both come from standard input")
    if options.metrics is None and (options.metrics_format is not None or options.metrics_output):
        parser.error("--metrics-format and --metrics-output require --metrics")
    if options.trace is None and (options.trace_json or options.trace_output is not None):
        parser.error("--trace-json and --trace-output require --trace")
    return options


def _value(parse: Callable[[str], T]) -> Callable[[str], T]:
    """Wraps a parser of values so that argparse prints the text of its `ValueError`s."""

    def parsed(text: str) -> T:
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parsed


def _counts(least: int) -> Callable[[str], tuple[int, ...]]:
    def parse(text: str) -> tuple[int, ...]:
        parts = text.split(",")
        if len(parts) > 3 or not all(part.isascii() and part.isdigit() and len(part) <= 10 for part in parts):
            raise ValueError(f"'{text[:80]}' is not a list of one to three counts, e.g. 64 or 32,16")
        counts = tuple(map(int, parts))
        if min(counts) < least:
            raise ValueError(f"'{text}' contains a count below {least}")
        return counts

    return parse


def _selection(text: str) -> ArgumentSelection:
    argument, equals, rest = text.partition("=")
    if not argument or not equals or not rest:
        raise ValueError(f"'{text[:80]}': expected the number or name of an argument, '=' and a value")
    return ArgumentSelection(argument, rest)


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 10 or int(text) < 1:
        raise ValueError(f"'{text[:80]}' is not a positive integer")
    return int(text)


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"'{text[:80]}' is not a number") from None


def _seconds(text: str) -> float:
    seconds = _float(text)
    if not 0 < seconds < float("inf"):
        raise ValueError(f"'{text}' is not a positive number of seconds")
    return seconds


def _tolerance(text: str) -> float:
    tolerance = _float(text)
    if not 0 <= tolerance < float("inf"):
        raise ValueError(f"'{text}' is not a non-negative number")
    return tolerance
