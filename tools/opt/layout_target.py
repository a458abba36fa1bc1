"""Pictures of the layouts in a module as output."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Attribute
from xdsl.utils.target import Target

from xegpu.diagnostics import CompileError, SourceBuffer
from xegpu.view import LayoutPicture, layout_of, page


@dataclass(frozen=True)
class LayoutTarget(Target):
    """`-t layout`: an HTML page that shows which work-item or subgroup owns each element of every tile with a map."""

    name = "layout"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        layouts = list(dict.fromkeys(_layouts(module)))
        if not layouts:
            raise CompileError(module, "contains no tile with a map that divides it")
        try:
            output.write(page(layouts))
        except ValueError as error:
            raise CompileError(module, str(error)) from None


def tile_source(type: str) -> SourceBuffer:
    """Returns a program that contains one type, which is given on the command line."""
    return SourceBuffer("--view-layout", f"func.func private @tile(\n{type}\n)\n")


def _layouts(module: ModuleOp) -> Iterator[LayoutPicture]:
    for type in _types(module):
        if (layout := layout_of(type)) is not None:
            yield layout


def _types(module: ModuleOp) -> Iterator[Attribute]:
    for op in module.walk():
        function_type = op.properties.get("function_type")
        if isinstance(function_type, FunctionType):
            yield from function_type.inputs
        yield from op.result_types
        for region in op.regions:
            for block in region.blocks:
                yield from block.arg_types
