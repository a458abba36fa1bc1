"""From MLIR text to a ZEBIN."""

from __future__ import annotations

import zebin
from passes.pipelines import compile_to_kernels
from xegpu import targets
from xegpu.diagnostics import CompileError

COMPILE_FAILURES = (CompileError, zebin.ZebinError)
"""What `compile_module` raises for text that is wrong or that cannot be compiled."""


def compile_module(text: str, target: str, filename: str = "<string>") -> bytes:
    """One ZEBIN with all kernels of all `gpu.module`s in `text`, for the target of that name.

    `filename` is for error messages. Raises `ValueError` for an unknown target, and what the passes raise for bad text.
    """
    device = targets.get(target)
    return zebin.build(device, compile_to_kernels(text, device, filename))
