"""Passes on the `gpu` dialect; each module defines one."""

from passes.gpu.infer_block_size import GpuInferBlockSizePass as GpuInferBlockSizePass
from passes.gpu.kernel_outlining import GpuKernelOutliningPass as GpuKernelOutliningPass
from passes.gpu.share_host_memory import GpuShareHostMemoryPass as GpuShareHostMemoryPass
