"""The image dialect: texels that the work-items of a kernel read, sample and write, as in OpenCL C.

Kernels take images and samplers as arguments. The functions of OpenCL C and the instructions of SPIR-V for images
become these operations, each of which a lane executes for itself. Images with several samples a texel do not exist.
"""

from xdsl.ir import Dialect

from xegpu.dialects.image.ops import (
    ConstantSamplerOp as ConstantSamplerOp,
    QueryOp as QueryOp,
    ReadOp as ReadOp,
    SampleOp as SampleOp,
    StateOp as StateOp,
    WriteOp as WriteOp,
    sizes_of as sizes_of,
)
from xegpu.dialects.image.types import (
    ACCESSES as ACCESSES,
    ImageSamplerType as ImageSamplerType,
    ImageShape as ImageShape,
    ImageSurfaceType as ImageSurfaceType,
)

Image = Dialect(
    "image", [ConstantSamplerOp, QueryOp, ReadOp, SampleOp, StateOp, WriteOp], [ImageSamplerType, ImageSurfaceType]
)
