"""Reads from the `RUN` lines of a file how it is meant to be compiled and checked."""

from __future__ import annotations

import re

from tools.cli import OP_LEVELS, CommandError

_RUN_LINE = re.compile(r"^\s*//\s*RUN:(.*)$", re.MULTILINE)
_PREFIXES = re.compile(r"--?check-prefix(?:es)?[= ]([\w,-]+)")
_PIPELINE = re.compile(r"--?gpu-lower-to-xevm-pipeline(?:[= ](?P<quote>[\"']?)(?P<options>.*))?")
_LEVEL = re.compile(r"\bxegpu-op-level=([\w-]*)")
_DEFAULT_PREFIX = "CHECK"
_DEFAULT_LEVEL = "workgroup"
"""The level that LLVM's pipeline assumes."""


def _commands(text: str) -> str:
    """Returns the commands of all RUN lines; a backslash joins lines."""
    return "".join(line.removesuffix("\\") if line.endswith("\\") else f"{line}\n" for line in _RUN_LINE.findall(text))


def check_prefixes(text: str) -> str:
    """Returns the comma-separated prefixes of the first RUN line that names any; `CHECK` without one."""
    found = _PREFIXES.search(_commands(text))
    return found[1] if found else _DEFAULT_PREFIX


def op_level(text: str, name: str) -> str | None:
    """Returns the level that the first RUN line with LLVM's pipeline for Xe GPUs selects; None without such a line.

    Raises `CommandError` for a level that there is not.
    """
    pipeline = _PIPELINE.search(_commands(text))
    if pipeline is None:
        return None
    quote, options = pipeline["quote"], pipeline["options"] or ""
    options = options.partition(quote)[0] if quote else options.partition(" ")[0]
    found = _LEVEL.search(options)
    level = found[1] if found else _DEFAULT_LEVEL
    if level not in OP_LEVELS:
        raise CommandError(f"a RUN line has xegpu-op-level={level}: expected one of {', '.join(OP_LEVELS)}", name)
    return level
