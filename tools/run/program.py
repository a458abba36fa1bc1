"""The program that `xegpu-run` runs: a ZEBIN, or MLIR that is compiled to one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import zebin
from tools.run.errors import ReportedError, RunError, UsageError
from xegpu.targets import TARGETS, Target

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

MAX_INPUT = 256 << 20
"""Bytes of input beyond which a file is refused."""

_ELF_MAGIC = b"\x7fELF"
_ARCHIVE_MAGIC = b"!<arch>\n"
DEFAULT_TARGET = "pvc"


def read_input(file: str) -> bytes:
    """The bytes of a file, of standard input for `-`."""
    if file == "-":
        data = sys.stdin.buffer.read(MAX_INPUT + 1)
    else:
        try:
            with Path(file).open("rb") as stream:
                data = stream.read(MAX_INPUT + 1)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise RunError(f"cannot be read: {reason}", file) from None
    if len(data) > MAX_INPUT:
        raise RunError(f"larger than {MAX_INPUT >> 20} MiB", input_name(file))
    return data


def input_name(file: str) -> str:
    """A file's name in messages."""
    return "<stdin>" if file == "-" else file


def is_binary(data: bytes) -> bool:
    """Whether it is a ZEBIN, or a fat binary, rather than text."""
    return data.startswith((_ELF_MAGIC, _ARCHIVE_MAGIC))


def target_of(data: bytes, wanted: str | None, name: str) -> Target:
    """The GPU to run on: the one asked for, else the one that a ZEBIN is made for. Raises `RunError`."""
    if wanted is not None or not is_binary(data):
        return TARGETS[wanted or DEFAULT_TARGET]
    if data.startswith(_ARCHIVE_MAGIC):
        raise RunError("a fat binary; take the ZEBIN of one GPU out of it (ar x)", name)
    try:
        notes = zebin.read(data, lenient=True).target
    except zebin.ZebinError as error:
        raise ReportedError("\n".join(f"{name}: {finding}" for finding in error.findings)) from None
    made_for = (notes.product_config, notes.product_family, notes.gfx_core)
    for target in TARGETS.values():
        own = (target.product_config, target.product_family, target.gfx_core)
        if any(made_for) and all(theirs in (0, ours) for theirs, ours in zip(made_for, own, strict=True)):
            return target
    return TARGETS[DEFAULT_TARGET]


def compile_text(data: bytes, name: str, target: Target, pipeline: str | None, *, kernel_is_named: bool) -> bytes:
    """The ZEBIN of the kernels in MLIR text, compiled by `pipeline` (None: the usual one).

    Warnings go to standard error. Raises `ReportedError` for text that is wrong or cannot be compiled, also for a
    program with a host function `main`, of which only a kernel that is asked for by name can be run; `UsageError` for a
    pipeline that there is not.
    """
    # A ZEBIN runs without a compiler, which takes longer to load than many kernels to run.
    from passes.pipelines import read_module, run_to_kernels, xe_passes
    from tools.run.host import refuse_host_program
    from xegpu.diagnostics import CompileError, Diagnostic, Source, handling, render

    source = Source(name, _text(data, name))
    steps: Sequence[ModulePass] = xe_passes(target.name) if pipeline is None else _passes(pipeline)
    seen: dict[Diagnostic, None] = {}
    try:
        with handling(seen.setdefault):
            context, module = read_module(source)
            if not kernel_is_named:
                refuse_host_program(module)
            kernels = run_to_kernels(context, module, steps)
    except CompileError as error:
        raise ReportedError("\n".join(render(d, {name: source}) for d in (*seen, *error.diagnostics))) from None
    for diagnostic in seen:
        print(render(diagnostic, {name: source}), file=sys.stderr)
    if not kernels:
        raise RunError("there is no kernel" if pipeline is None else "the pipeline leaves no compiled kernel", name)
    try:
        return zebin.build(target, kernels)
    except zebin.ZebinError as error:
        raise RunError(f"the kernels cannot become a ZEBIN: {error}", name) from None


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise RunError("neither a ZEBIN nor UTF-8 text", f"{name}:{line}:{column}") from None


def _passes(pipeline: str) -> Sequence[ModulePass]:
    from xdsl.passes import PassPipeline
    from xdsl.universe import Universe
    from xdsl.utils.exceptions import ArgSpecParseError

    import passes

    try:
        known = Universe.get_multiverse().all_passes | passes.registry()
        return PassPipeline.parse_spec(known, pipeline).passes
    except (ArgSpecParseError, ValueError) as error:
        raise UsageError(f"--pipeline: {error}") from None
