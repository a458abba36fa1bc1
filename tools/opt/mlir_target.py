"""MLIR text as output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.targets.mlir import MLIRTarget

from xegpu.dialects.printer import MLIRPrinter, MLIRSyntaxPrinter


@dataclass(frozen=True)
class MLIRTextTarget(MLIRTarget):
    """`-t mlir`: MLIR text that omits the prefixes of default dialects, as MLIR does."""

    name = "mlir"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        printer = (MLIRSyntaxPrinter if self.syntax_highlight else MLIRPrinter)(
            stream=output,
            print_generic_format=self.print_generic_format,
            print_properties_as_attributes=self.print_properties_as_attributes,
            print_debuginfo=self.print_debuginfo,
        )
        printer.print_op(module)
        printer.print_metadata(ctx.loaded_dialects)
        output.write("\n\n")
