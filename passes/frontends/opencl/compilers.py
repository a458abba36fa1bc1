"""Finds a clang that translates OpenCL C."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache

OLDEST = 15
"""The oldest clang whose LLVM IR has opaque pointers."""
_NEWEST = 30
_VERSION = re.compile(r"clang version (\d+)")
_TIME_LIMIT = 20.0


@dataclass(frozen=True)
class Compiler:
    """A clang on this machine."""

    path: str
    version: int

    def identity(self) -> str:
        """Returns what tells this compiler from every other one."""
        facts = os.stat(self.path)
        return f"{os.path.realpath(self.path)} {self.version} {facts.st_size} {facts.st_mtime_ns}"


@cache
def find_compiler() -> Compiler | None:
    """Returns the newest clang on the search path that is new enough; None if there is none."""
    names = ["clang", *(f"clang-{version}" for version in range(_NEWEST, OLDEST - 1, -1))]
    paths = dict.fromkeys(path for name in names if (path := shutil.which(name)) is not None)
    found = [Compiler(path, version) for path in paths if (version := _version(path)) >= OLDEST]
    return max(found, key=lambda compiler: compiler.version, default=None)


def _version(path: str) -> int:
    try:
        result = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=_TIME_LIMIT, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return 0
    match = _VERSION.search(result.stdout)
    return 0 if match is None else int(match[1])
