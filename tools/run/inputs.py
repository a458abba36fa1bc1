"""The input of `xegpu-run`: a ZEBIN or MLIR."""

from __future__ import annotations

import sys
from pathlib import Path

import zebin
from tools.run.errors import ReportedError, RunError
from xegpu.targets import TARGETS, Target

MAX_INPUT = 256 << 20
"""The maximum size of the input in bytes."""

_ELF_MAGIC = b"\x7fELF"
_ARCHIVE_MAGIC = b"!<arch>\n"
DEFAULT_TARGET = "pvc"


def read_input(file: str) -> bytes:
    """Returns the contents of a file, or of standard input for `-`."""
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
    """Returns the name of a file in messages."""
    return "<stdin>" if file == "-" else file


def is_binary(data: bytes) -> bool:
    """Returns whether the input is a ZEBIN or a fat binary rather than text."""
    return data.startswith((_ELF_MAGIC, _ARCHIVE_MAGIC))


def target_of(data: bytes, wanted: str | None, name: str) -> Target:
    """Returns the GPU to run on: the requested one, or else the one that a ZEBIN was built for. Raises `RunError`."""
    if wanted is not None or not is_binary(data):
        return TARGETS[wanted or DEFAULT_TARGET]
    if data.startswith(_ARCHIVE_MAGIC):
        raise RunError("is a fat binary: extract the ZEBIN of one GPU with `ar x`", name)
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
