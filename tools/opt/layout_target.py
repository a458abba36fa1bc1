"""Pictures of the layouts in a module as output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from xegpu.diagnostics import CompileError, SourceBuffer
from xegpu.view import layouts_in, page


@dataclass(frozen=True)
class LayoutTarget(Target):
    """`-t layout`: an HTML page that shows which work-item or subgroup owns each element of every tile with a map."""

    name = "layout"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        layouts = layouts_in(module)
        if not layouts:
            raise CompileError(module, "contains no tile with a map that divides it")
        try:
            output.write(page(layouts))
        except ValueError as error:
            raise CompileError(module, str(error)) from None


def tile_source(type: str) -> SourceBuffer:
    """Returns a program that contains one type, which is given on the command line."""
    return SourceBuffer("--view-layout", f"func.func private @tile(\n{type}\n)\n")
