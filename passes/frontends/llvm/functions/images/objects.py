"""Images and samplers among the arguments of calls, and samplers that kernels bring along."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from passes.frontends.llvm.importer.calls import Call, builtin
from passes.frontends.llvm.importer.function import Parts
from xegpu.dialects.image import ConstantSamplerOp, ImageSamplerType, ImageSurfaceType
from xegpu.dialects.upstream.vector import ExtractOp
from xegpu.isa.model import ADDRESSING_WORDS, FILTER_WORDS

_NORMALIZED = 1
_ADDRESSING_SHIFT, _ADDRESSING_MASK = 1, 7
_LINEAR = 0x20
"""The bits of the numbers that OpenCL C has for samplers: `CLK_NORMALIZED_COORDS_TRUE` and the others."""


def image_type(call: Call, value: SSAValue) -> ImageSurfaceType:
    """Returns the type of an argument that must be an image."""
    if not isinstance(value.type, ImageSurfaceType):
        call.builder.error(f"calls '{call.name}' with a value of type {value.type}: expected an image")
    return value.type


def components(call: Call, value: SSAValue, count: int) -> list[SSAValue]:
    """Returns the first components of a scalar or vector."""
    available = value.type.element_count() if isinstance(value.type, VectorType) else 1
    if available < count:
        call.builder.error(f"calls '{call.name}' with {available} coordinates: the image has {count}")
    if not isinstance(value.type, VectorType):
        return [value]
    return [call.builder.add(ExtractOp(value, [place])) for place in range(count)]


@builtin("__translate_sampler_initializer")
def initializer(call: Call) -> SSAValue:
    """Imports a sampler that OpenCL C describes by a number."""
    bits = call.number(0)
    return _sampler(call, bits >> _ADDRESSING_SHIFT & _ADDRESSING_MASK, bool(bits & _LINEAR), bits & _NORMALIZED)


@builtin("__spirv_ConstantSampler")
def constant_sampler(call: Call) -> SSAValue:
    return _sampler(call, call.number(0), call.number(2), call.number(1))


def _sampler(call: Call, addressing: int, filter_mode: int, normalized: int) -> SSAValue:
    modes, filters = tuple(ADDRESSING_WORDS), tuple(FILTER_WORDS)
    if addressing >= len(modes) or filter_mode >= len(filters):
        call.builder.error(f"has a sampler of addressing mode {addressing} and filter mode {filter_mode}")
    op = ConstantSamplerOp(modes[addressing], filters[filter_mode], normalized=bool(normalized))
    return call.builder.verified(op)


@builtin("__spirv_SampledImage")
def sampled_image(call: Call) -> Parts:
    """Imports a sampled image: it is the image and the sampler."""
    image, sampler = call.value(0), call.value(1)
    image_type(call, image)
    if not isinstance(sampler.type, ImageSamplerType):
        call.builder.error(f"calls '{call.name}' with a value of type {sampler.type}: expected a sampler")
    return image, sampler


@builtin("__spirv_Image")
def image_of(call: Call) -> SSAValue:
    return call.importer.parts(call.operand(0))[0]
