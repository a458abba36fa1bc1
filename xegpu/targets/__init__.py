"""The GPUs that kernels are compiled for and run on, one description each."""

from __future__ import annotations

from collections.abc import Mapping

from xegpu.targets.arc import ARC
from xegpu.targets.power import ExecutionPower
from xegpu.targets.pvc import PVC
from xegpu.targets.target import Block2D, BlockLimits, Dpas, Target, local_id_row_bytes
from xegpu.targets.timing import ExecutionTiming

TARGETS: Mapping[str, Target] = {target.name: target for target in (PVC, ARC)}

CHIPS: Mapping[str, Target] = {"pvc": PVC, "bmg": PVC}
"""The GPUs that stand for the chips that `#xevm.target` names: to XeGPU, a BMG has the instructions of a PVC."""


def get(name: str) -> Target:
    """Returns the target called `name`; raises `ValueError` listing the known ones."""
    try:
        return TARGETS[name]
    except KeyError:
        raise ValueError(f"unknown target '{name}', expected one of: {', '.join(TARGETS)}") from None


__all__ = [
    "ARC",
    "CHIPS",
    "PVC",
    "TARGETS",
    "Block2D",
    "BlockLimits",
    "Dpas",
    "ExecutionPower",
    "ExecutionTiming",
    "Target",
    "get",
    "local_id_row_bytes",
]
