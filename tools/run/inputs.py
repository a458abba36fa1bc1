"""The input of `xegpu-run`: a ZEBIN or MLIR."""

from __future__ import annotations

import zebin
from tools.cli import CommandError, ReportedError
from xegpu.targets import TARGETS, Target

MAX_INPUT = 256 << 20
"""The maximum size of the input in bytes."""

_ELF_MAGIC = b"\x7fELF"
_ARCHIVE_MAGIC = b"!<arch>\n"
DEFAULT_TARGET = "pvc"


def is_binary(data: bytes) -> bool:
    """Returns whether the input is a ZEBIN or a fat binary rather than text."""
    return data.startswith((_ELF_MAGIC, _ARCHIVE_MAGIC))


def target_of(data: bytes, wanted: str | None, name: str) -> Target:
    """Returns the GPU to run on: the requested one, or else the one that a ZEBIN was built for.

    Raises:
        CommandError: If the input is a fat binary or no ZEBIN.
    """
    if wanted is not None or not is_binary(data):
        return TARGETS[wanted or DEFAULT_TARGET]
    if data.startswith(_ARCHIVE_MAGIC):
        raise CommandError("is a fat binary: extract the ZEBIN of one GPU with `ar x`", name)
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
