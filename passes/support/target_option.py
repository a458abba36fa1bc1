"""The `target` option that passes share."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from xegpu import targets
from xegpu.diagnostics import CompileError
from xegpu.targets import Target


def target_of(module: ModuleOp, name: str) -> Target:
    """The target called `name`; raises `CompileError` listing the known ones."""
    try:
        return targets.get(name)
    except ValueError as error:
        raise CompileError(module, str(error)) from None
