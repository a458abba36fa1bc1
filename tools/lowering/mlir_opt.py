"""Runs mlir-opt with the pass pipeline of `--lower-with`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from runtime.mux import fetched_programs
from tools.cli import CommandError, ReportedError
from xegpu.diagnostics import SourceBuffer, handling
from xegpu.mlir import without_schedules
from xegpu.targets import Target

_PROGRAM = "mlir-opt"
_OLDEST = 22
"""The first LLVM whose mlir-opt has all passes of the pipeline."""
_NAME = re.compile(rf"{_PROGRAM}(?:-(\d+))?")
_VERSION = re.compile(r"LLVM version (\d+)")
_OWN_SCHEDULE = "@__transform_main"
"""The sequence that a schedule begins with, by convention."""
_TIME_LIMIT = 300

_SCHEDULE = "schedule.mlir"
_MASKED_PRODUCT = re.compile(r"vector\.mask %\w+ \{ (vector\.contract [^\n]*?) \} : vector<[^>]*> -> vector<[^>]*>")
"""A product of vectors that were read with zeros outside of their buffers: it needs no mask. mlir-opt 22 and 23 put a
`xegpu.dpas`, which cannot be masked, under the mask.
"""

BUFFERIZE = (
    "convert-elementwise-to-linalg",
    "linalg-fuse-elementwise-ops",
    "eliminate-empty-tensors",
    "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}",
    "canonicalize",
    "cse",
)
"""The passes from tensors to buffers."""
LAUNCH = (
    "canonicalize",
    "cse",
    "scf-forall-to-parallel",
    "func.func(gpu-map-parallel-loops)",
    "convert-parallel-loops-to-gpu",
    "gpu-launch-sink-index-computations",
    "gpu-kernel-outlining",
    "lower-affine",
    "gpu.module(gpu.func(convert-linalg-to-loops))",
    "canonicalize",
    "cse",
)
"""The passes from tiles to kernels, and host code that launches them."""

CONVERT = ("gpu.module(convert-vector-to-xegpu)", "canonicalize", "cse")
"""The passes from vectors to XeGPU."""


def lowered(source: SourceBuffer, wanted: str, target: Target) -> str:
    """Returns a module whose structured operations are kernels, in vectors and XeGPU, which host code launches.

    The source's own schedule, if it has one, is applied first.

    Args:
        source: The module, with operations of any dialects.
        wanted: `mlir-opt`, or the path of one.
        target: The GPU, whose chip decides what becomes XeGPU.

    Raises:
        CommandError: There is no such program, or it is too old or takes too long.
        ReportedError: It refuses the module; the text is what it says.

    """
    program = _found(wanted)
    own = ["transform-interpreter"] if _OWN_SCHEDULE in source.text else []
    tiled = _run(program, source.name, source.text, (*own, *BUFFERIZE, *_schedule("distribute"), *LAUNCH))
    chip = [f"xevm-attach-target{{chip={target.chips[0]}}}"] if target.chips else []
    convert = (*_schedule("multiply"), *chip, *(CONVERT if chip else ()))
    text = _run(program, source.name, _MASKED_PRODUCT.sub(r"\1", tiled), convert)
    with handling(lambda _: None):  # schedules have been applied
        return without_schedules(SourceBuffer(source.name, text)).text


def _schedule(entry: str) -> tuple[str, str]:
    """Returns the passes that apply a sequence of `schedule.mlir`."""
    return (
        f"transform-preload-library{{transform-library-paths={_SCHEDULE}}}",
        f"transform-interpreter{{entry-point={entry}}}",
    )


def _run(program: str, name: str, text: str, passes: Sequence[str]) -> str:
    """Returns what mlir-opt makes of a module, whose locations are in the file of that name."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, _SCHEDULE).write_text((files("tools.lowering") / _SCHEDULE).read_text())
        command = [program, "--mlir-print-debuginfo", f"--pass-pipeline=builtin.module({','.join(passes)})"]
        try:
            done = subprocess.run(
                command, input=text, capture_output=True, text=True, timeout=_TIME_LIMIT, cwd=folder, check=False
            )
        except subprocess.TimeoutExpired:
            raise CommandError(f"{program} takes more than {_TIME_LIMIT} seconds", name) from None
    if done.returncode:
        said = done.stderr.replace("<stdin>", name).strip()
        raise ReportedError(said or f"{name}: error: {program} ends with status {done.returncode}")
    return done.stdout.replace('"<stdin>"', f'"{name}"')


def _found(wanted: str) -> str:
    """Returns the path of a program that is new enough; the newest one for `mlir-opt`."""
    path = shutil.which(wanted)
    if wanted == _PROGRAM:
        programs = {found: _version(found) for found in _installed()}
        path = max(programs, key=lambda found: programs[found], default=None)
    if path is None:
        raise CommandError(
            f"--lower-with: no '{wanted}' on the search path: 'apt-get install mlir-{_OLDEST}-tools' has one, and "
            "scripts/peers fetches today's"
        )
    path = os.path.abspath(path)  # it runs in another folder
    if (version := _version(path)) < _OLDEST:
        found = f"of LLVM {version}" if version else "no mlir-opt"
        raise CommandError(f"--lower-with: {path} is {found}: expected LLVM {_OLDEST} or newer (mlir-{_OLDEST}-tools)")
    return path


def _installed() -> list[str]:
    """Returns the mlir-opt of each version on the search path, and those that `scripts/peers` has fetched."""
    folders = [fetched_programs(), *map(Path, os.environ.get("PATH", "").split(os.pathsep))]
    names = {path.name for folder in folders if folder.is_dir() for path in folder.glob(f"{_PROGRAM}*")}
    path = os.pathsep.join(map(str, folders))
    return [found for name in sorted(names) if _NAME.fullmatch(name) and (found := shutil.which(name, path=path))]


def _version(path: str) -> int:
    """Returns the version of LLVM that a program states; 0 if it states none."""
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=_TIME_LIMIT, check=False)
    except OSError:
        return 0
    found = _VERSION.search(said.stdout)
    return int(found[1]) if found else 0
