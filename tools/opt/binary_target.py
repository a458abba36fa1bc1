"""Outputs of `xegpu-opt` that are bytes."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target


@dataclass(frozen=True)
class BinaryTarget(Target):
    """An output that is bytes, which one module alone can become."""

    @abstractmethod
    def encode(self, module: ModuleOp) -> bytes:
        """The bytes of a module. Raises `CompileError` if they cannot be made of it."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        raise TypeError(f"target '{self.name}' is binary: use encode")
