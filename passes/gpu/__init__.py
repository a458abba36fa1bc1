"""Passes on the `gpu` dialect; each module defines one."""

from __future__ import annotations

from passes.gpu.infer_block_size import GpuInferBlockSizePass
from passes.gpu.kernel_outlining import GpuKernelOutliningPass

__all__ = [
    "GpuInferBlockSizePass",
    "GpuKernelOutliningPass",
]
