"""The `target` option that several passes share."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from xegpu import targets
from xegpu.diagnostics import CompileError
from xegpu.targets import Target


def target_of(module: ModuleOp, name: str) -> Target:
    """Returns the target with this name. Raises `CompileError`, which lists the known names."""
    try:
        return targets.get(name)
    except ValueError as error:
        raise CompileError(module, str(error)) from None
