"""Binary outputs of `xegpu-opt`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target


@dataclass(frozen=True)
class BinaryOptions:
    """The options of `xegpu-opt` about debug information in binaries."""

    debug_info: bool = True
    prefix_map: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class BinaryTarget(Target):
    """A binary output of a single module."""

    @abstractmethod
    def encode(self, module: ModuleOp, options: BinaryOptions) -> bytes:
        """Returns the binary of a module. Raises `CompileError` for a module that has none."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        raise TypeError(f"target '{self.name}' is binary: use encode")
