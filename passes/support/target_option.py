"""The option `target` of passes and pipelines."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.passes import ModulePass


@dataclass(frozen=True)
class TargetOption(ModulePass):
    """A pass or a pipeline that compiles for a GPU."""

    target: str = ""
    """The GPU to compile for; by default the one that each gpu.module names."""
