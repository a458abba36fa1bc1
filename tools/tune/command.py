"""The command line of `xegpu-tune`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tools.cli import (
    CommandParser,
    ExitStatus,
    UsageError,
    add_check,
    add_json,
    add_kernel,
    add_op_level,
    add_target,
)
from xegpu.targets import DEFAULT_TARGET, TARGETS

SEARCHES = ("grid", "random", "bayesian")
"""The ways to choose parameters."""

_NOTES = """\
Everywhere in the kernel, in --grid, --group, --arg, --pipeline and
--build-options, ${...} stands for an expression of the parameters in Python's
notation, for example ${256 // tile_m}.

The cost model estimates each combination from the compiled code; the best ones
run on the simulator, their results are compared, and the fewest cycles win."""


class TuneOptions(argparse.Namespace):
    """The parsed command line."""

    file: str
    param: list[str]
    where: list[str]
    kernel: str | None
    grid: str
    group: str | None
    arg: list[str]
    target: str
    op_level: str | None
    pipeline: str | None
    build_options: str | None
    expect: list[str]
    rtol: float | None
    atol: float | None
    check: str | None
    search: str
    trials: int | None
    runs: int
    seed: int
    study: str | None
    workers: int | None
    scheduler: str | None
    output: str | None
    svg: str | None
    json: bool
    quiet: bool


def parse(argv: Sequence[str] | None) -> TuneOptions:
    """Parses the command line. Exits with status 2 if it is wrong."""
    parser = CommandParser(
        "xegpu-tune",
        "Search the parameters of a kernel template and of the pipeline with which the kernel takes the fewest cycles "
        "and still computes the right result.",
        usage="%(prog)s KERNEL --param NAME=VALUES --expect I=VALUE [OPTION ...]",
        notes=_NOTES,
        examples=(
            "xegpu-tune gemm.mlir --param m=16,32,64 --param n=32,64 --grid '${256//m},${256//n}' "
            "--arg random:256x256xbf16:1 --arg random:256x256xbf16:2 --arg zeros:256x256xf32 "
            "--expect 'c=numpy:a @ b' --atol 1e-3",
            "xegpu-tune gemm.mlir --param stages=1,2,3 --param unroll=1,2,4 "
            "--pipeline 'xe-pipeline{target=pvc pipeline-stages=${stages} unroll-factor=${unroll}}' --arg ...",
            "xegpu-tune gemm.mlir --param ... --search bayesian --trials 50 --study gemm.jsonl --svg gemm.svg",
        ),
        statuses={ExitStatus.FAILURE: "no combination of parameters compiles, runs and computes the right result"},
    )
    parser.add_argument(
        "file", metavar="KERNEL", help="template in MLIR, or of a .cl or .ll file; - for standard input"
    )
    space = parser.add_argument_group("parameters")
    space.add_argument(
        "--param",
        action="append",
        metavar="NAME=VALUES",
        help="a parameter and its values, numbers or words: tile_m=32,64,128; repeatable",
    )
    space.add_argument(
        "--where", action="append", metavar="CONDITION", help="only combinations for which this holds: 'm * n <= 4096'"
    )
    launch = parser.add_argument_group("launch (as for xegpu-run)")
    add_kernel(launch, "kernel to tune; required if the file contains several")
    launch.add_argument("--grid", metavar="X[,Y[,Z]]", default="1", help="number of work-groups (default: 1)")
    launch.add_argument("--group", metavar="X[,Y[,Z]]", help="size of work-groups (default: what the kernel requires)")
    launch.add_argument("--arg", action="append", metavar="VALUE", help="value of the next argument")
    add_target(launch, TARGETS, f"simulated GPU (default: {DEFAULT_TARGET})")
    add_op_level(launch, "whose values operations of XeGPU have (default: inferred)")
    launch.add_argument("--pipeline", metavar="PASSES", help="pass pipeline, as for xegpu-opt -p")
    launch.add_argument("--build-options", metavar="OPTIONS", help="options of clang for OpenCL C")
    results = parser.add_argument_group("results")
    results.add_argument(
        "--expect",
        action="append",
        metavar="I=VALUE",
        help="the right contents of an argument after the launch: an array as for --arg, or numpy:EXPRESSION of the "
        "arguments before it, in float64: c=numpy:a @ b; at least one is needed",
    )
    results.add_argument("--rtol", type=_tolerance, help="relative tolerance (default: as for xegpu-run)")
    results.add_argument("--atol", type=_tolerance, help="absolute tolerance (default: as for xegpu-run)")
    add_check(results)
    search = parser.add_argument_group("search")
    search.add_argument(
        "--search",
        choices=SEARCHES,
        default="grid",
        help="all combinations, a random choice of them, or a choice that learns from the cycles of earlier ones by "
        "optuna (pip install 'xegpu-toolkit[tune]') (default: grid)",
    )
    search.add_argument(
        "--trials", type=_count, metavar="N", help="combinations to estimate (default: all, or 50 if it learns)"
    )
    search.add_argument(
        "--runs", type=_count, default=8, metavar="N", help="best combinations that run on the simulator (default: 8)"
    )
    search.add_argument("--seed", type=_number, default=0, metavar="N", help="seed of random choices (default: 0)")
    search.add_argument(
        "--study", metavar="FILE", help="keep what was found in this file, and go on from what it has already"
    )
    machines = search.add_mutually_exclusive_group()
    machines.add_argument(
        "--workers",
        type=_count,
        metavar="N",
        help="do the work in so many processes of this machine (pip install 'xegpu-toolkit[cluster]')",
    )
    machines.add_argument(
        "--scheduler", metavar="ADDRESS", help="do the work on the machines of a Dask cluster: tcp://node1:8786"
    )
    output = parser.add_argument_group("output")
    output.add_argument("-o", "--output", metavar="FILE", help="write the kernel with the best parameters to a file")
    output.add_argument("--svg", metavar="FILE", help="draw the cycles over each parameter")
    add_json(output, "print JSON instead of a table")
    output.add_argument("-q", "--quiet", action="store_true", help="do not show the progress")
    options = parser.parse(argv, TuneOptions())
    for name in ("param", "where", "arg", "expect"):
        setattr(options, name, getattr(options, name) or [])
    options.target = options.target or DEFAULT_TARGET
    if not options.param:
        parser.error("expected --param NAME=VALUES")
    if not options.expect:
        parser.error("expected --expect I=VALUE: a kernel that computes something else is no faster one")
    return options


def parameters(options: TuneOptions) -> dict[str, tuple[int | str, ...]]:
    """Returns the parameters with their values. Raises `UsageError` for one that is wrong."""
    found: dict[str, tuple[int | str, ...]] = {}
    for text in options.param:
        name, equals, values = text.partition("=")
        if not equals or not name.isidentifier() or not all(values.split(",")):
            raise UsageError(f"--param '{text[:80]}': expected a name, '=' and values such as 32,64,128")
        if name in found:
            raise UsageError(f"--param: '{name}' is given twice")
        found[name] = tuple(dict.fromkeys(_setting(value) for value in values.split(",")))
    return found


def _setting(text: str) -> int | str:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else text


def _count(text: str) -> int:
    value = _number(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive integer")
    return value


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"'{text[:80]}' is not a whole number")
    return int(text)


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text[:80]}' is not a non-negative number")
    return value
