"""Compilation to native code by Intel's graphics compiler, through its offline compiler `ocloc`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from runtime.mux.compilation.binary_cache import cached
from xegpu import targets
from xegpu.diagnostics import CompileError, Severity, diagnose, handling, warn

_PROGRAM = "ocloc"

_VERSION = "OCL_DRIVER_VERSION"
"""The question for the version, which is answered in a file of this name."""

_TIME_LIMIT = 300
_STANDARD, _DEFAULT_STANDARD = "-cl-std=", "CL2.0"
"""The newest version for which the header of a GPU without images compiles."""
_MESSAGE = re.compile(r"(?:.*?:)?(\d+):(\d+): (?:fatal )?(error|warning): (.*)")


def compile_with_igc(source: str | bytes, target: str, filename: str, options: Sequence[str] = ()) -> bytes:
    """Compiles OpenCL C, or SPIR-V in bytes, to a ZEBIN with native code.

    Options are those of OpenCL C and of Intel's compiler, such as `-cl-intel-256-GRF-per-thread`.

    Raises:
        CompileError: `ocloc` is not installed or knows no such GPU, or the source does not compile; the text is what
            the compiler says.
    """
    start = _place(filename, 1, 1)
    path = find_igc()
    if path is None:
        text = (
            f"no '{_PROGRAM}' (scripts/peers fetches today's, the package intel-opencl-icd has one) on the search path"
        )
        raise CompileError(start, f"cannot be compiled: {text}")
    device = targets.get(target).ocloc_device
    if device is None:
        raise CompileError(start, f"cannot be compiled: '{_PROGRAM}' has no name for the GPU '{target}'")
    if wrong := [word for word in options if not word.startswith("-") or len(word.split()) != 1 or '"' in word]:
        raise CompileError(start, f"option {wrong[0]!r} cannot be passed to '{_PROGRAM}'")

    def compile() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            return _compiled(path, Path(folder), source, device, filename, options)

    return cached(compile, "igc", _identity(path), target, filename, *options, source)


def compile_with_igc_log(
    source: str | bytes, target: str, filename: str, options: Sequence[str] = ()
) -> tuple[bytes, list[str]]:
    """Compiles as `compile_with_igc` does; returns the ZEBIN, and the compiler's warnings. Raises `CompileError`."""
    said: list[str] = []
    with handling(lambda diagnostic: said.append(str(diagnostic))):
        binary = compile_with_igc(source, target, filename, options)
    return binary, said


def fetched_programs() -> Path:
    """Returns the folder in which `scripts/peers` leaves programs."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "xegpu-toolkit", "peers", "programs")


def find_igc() -> str | None:
    """Returns the path of `ocloc`: that which `scripts/peers` has fetched, or else that on the search path."""
    return shutil.which(_PROGRAM, path=str(fetched_programs())) or shutil.which(_PROGRAM)


@cache
def igc_version(path: str) -> str:
    """Returns the version of an installed `ocloc` as it states it; empty if it states none."""
    with tempfile.TemporaryDirectory() as folder:
        command = [path, "query", _VERSION]
        subprocess.run(command, cwd=folder, capture_output=True, timeout=_TIME_LIMIT, check=False)
        answer = Path(folder, _VERSION)
        return answer.read_text().strip("\0\n ") if answer.exists() else ""


@cache
def _identity(path: str) -> str:
    """Returns the identity of an installed compiler."""
    facts = Path(path).resolve().stat()
    return f"{path} {facts.st_size} {facts.st_mtime_ns}"


def _compiled(
    path: str, folder: Path, source: str | bytes, device: str, filename: str, options: Sequence[str]
) -> bytes:
    given, made = folder / "source", folder / "made"
    chosen = list(options)
    command = [path, "compile", "-file", str(given), "-device", device, "--format", "zebin"]
    command += ["-output", str(made), "-output_no_suffix", "-exclude_ir"]
    if isinstance(source, bytes):
        given.write_bytes(source)
        command.append("-spirv_input")
    else:
        given.write_text(source, errors="surrogatepass")
        if not any(option.startswith(_STANDARD) for option in chosen):
            chosen.append(f"{_STANDARD}{_DEFAULT_STANDARD}")
    command += ["-options", " ".join(chosen)] if chosen else []
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=_TIME_LIMIT, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CompileError(_place(filename, 1, 1), f"cannot be compiled: {path}: {error}") from error
    said = [
        match.groups() for line in f"{done.stdout}\n{done.stderr}".splitlines() if (match := _MESSAGE.fullmatch(line))
    ]
    for line, column, kind, text in said:
        if kind == "warning":
            warn(_place(filename, int(line), int(column)), text)
    # Newer compilers add the suffix in any case.
    binary = next((name for name in (made, made.with_suffix(".bin")) if name.exists()), None)
    if done.returncode or binary is None:
        errors = [(line, column, text) for line, column, kind, text in said if kind == "error"]
        if not errors:
            text = " ".join(f"{done.stdout} {done.stderr}".split())[:2000]
            raise CompileError(_place(filename, 1, 1), f"{_PROGRAM} {igc_version(path)} failed: {text}")
        raise CompileError.of(
            [diagnose(Severity.ERROR, _place(filename, int(line), int(column)), text) for line, column, text in errors]
        )
    return binary.read_bytes()


def _place(filename: str, line: int, column: int) -> FileLineColLoc:
    return FileLineColLoc(StringAttr(filename), IntAttr(line), IntAttr(column))
