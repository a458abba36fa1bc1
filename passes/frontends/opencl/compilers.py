"""Finds a clang that translates OpenCL C: one on the search path, or that of the package `ziglang`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from xegpu.python_children import module_command

OLDEST = 15
"""The oldest clang whose LLVM IR has opaque pointers."""
_NEWEST = 30
_VERSION = re.compile(r"clang version (\d+)")
_TIME_LIMIT = 20.0
_PACKAGE = "ziglang"
"""A package of PyPI that has a clang, but not the header that OpenCL C needs."""
OWN_HEADERS = str(Path(__file__).with_name("include"))
"""The headers for a clang without any."""


@dataclass(frozen=True)
class Compiler:
    """A clang on this machine."""

    path: str
    version: int
    arguments: tuple[str, ...] = ()
    """The words that follow the path in all commands."""

    @property
    def has_whole_header(self) -> bool:
        """Says whether there is a header with the functions of vendors."""
        return not self.arguments

    @property
    def command(self) -> tuple[str, ...]:
        """The beginning of a command."""
        return (self.path, *self.arguments)

    def identity(self) -> str:
        """Returns the identity of this compiler, which no other one has."""
        facts = os.stat(self.path)
        words = [os.path.realpath(self.path), *self.arguments, self.version, facts.st_size, facts.st_mtime_ns]
        return " ".join(map(str, words))


@cache
def find_compiler() -> Compiler | None:
    """Returns the newest clang on the search path that is new enough, else that of a package; None without one."""
    names = ["clang", *(f"clang-{version}" for version in range(_NEWEST, OLDEST - 1, -1))]
    paths = dict.fromkeys(path for name in names if (path := shutil.which(name)) is not None)
    found = [Compiler(path, version) for path in paths if (version := _version(path)) >= OLDEST]
    return max(found, key=lambda compiler: compiler.version, default=None) or packaged_compiler()


@cache
def packaged_compiler() -> Compiler | None:
    """Returns the clang of the package that `pip install xegpu-toolkit[opencl]` brings; None if it is not installed."""
    if find_spec(_PACKAGE) is None:
        return None
    program, *words = *module_command(_PACKAGE), "clang"
    version = _version(program, *words)
    return Compiler(program, version, (*words, "-I", OWN_HEADERS)) if version >= OLDEST else None


def _version(*command: str) -> int:
    try:
        result = subprocess.run(
            [*command, "--version"], capture_output=True, text=True, timeout=_TIME_LIMIT, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return 0
    match = _VERSION.search(result.stdout)
    return 0 if match is None else int(match[1])


@cache
def header_folders(compiler: Compiler) -> tuple[str, ...]:
    """Returns the folders of the headers that come with a compiler, and of ours."""
    command = [*compiler.command, "-print-resource-dir"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_TIME_LIMIT, check=True)
    except (OSError, subprocess.SubprocessError):
        return (OWN_HEADERS,)
    return (str(Path(done.stdout.strip(), "include")), OWN_HEADERS)
