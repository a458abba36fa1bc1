"""Imports reads, samples and writes of texels: functions of OpenCL C, and instructions of SPIR-V."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AnyFloat, Float32Type, IntegerType, VectorType, f32, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.type import get_element_type_or_self

from passes.frontends.llvm.functions.images.objects import components, image_type
from passes.frontends.llvm.importer.calls import Call, builtin
from passes.frontends.llvm.reader import Constant, Value
from xegpu.dialects.image import ImageSamplerType, ImageSurfaceType, ReadOp, SampleOp, WriteOp
from xegpu.dialects.upstream.arith import ExtFOp, SIToFPOp, TruncFOp

_LOD, _GRAD, _EXTENSIONS = 0x2, 0x4, 0x7000
"""Bits of the image operands of SPIR-V; the last ones say how integers are extended, and are hints for caches."""


def _in_registers(type: Attribute) -> Attribute:
    """Returns the type of a texel as messages move it: halfs are floats."""
    element = get_element_type_or_self(type)
    element = f32 if isinstance(element, AnyFloat) else element
    return VectorType(element, type.get_shape()) if isinstance(type, VectorType) else element


def _given(call: Call, texel: SSAValue) -> SSAValue:
    """Returns a texel as the call gives it."""
    return texel if texel.type == call.type else call.builder.add(TruncFOp(texel, call.type))


def _integers(call: Call, image: ImageSurfaceType, value: SSAValue) -> list[SSAValue]:
    """Returns integer coordinates, as many as the image has."""
    found = components(call, value, image.form.coordinates)
    if found[0].type != i32:
        call.builder.error(f"calls '{call.name}' with coordinates of type {found[0].type}: expected i32")
    return found


def _floats(call: Call, image: ImageSurfaceType, value: SSAValue) -> list[SSAValue]:
    """Returns coordinates for a sampler, which may be integers."""
    found = components(call, value, image.form.coordinates)
    if isinstance(found[0].type, IntegerType):
        return [call.builder.add(SIToFPOp(each, f32)) for each in found]
    if not isinstance(found[0].type, Float32Type):
        call.builder.error(f"calls '{call.name}' with coordinates of type {found[0].type}: expected f32 or i32")
    return found


def _read(call: Call, image: SSAValue, coordinate: SSAValue) -> SSAValue:
    coordinates = _integers(call, image_type(call, image), coordinate)
    return _given(call, call.builder.verified(ReadOp(image, coordinates, _in_registers(call.type))))


def _sample(call: Call, image: SSAValue, sampler: SSAValue, coordinate: SSAValue, level: Value | None) -> SSAValue:
    coordinates = _floats(call, image_type(call, image), coordinate)
    detail = None if level is None or _is_zero(level) else call.importer.value(level)
    return _given(call, call.builder.verified(SampleOp(image, coordinates, sampler, _in_registers(call.type), detail)))


def _write(call: Call, image: SSAValue, coordinate: SSAValue, texel: SSAValue) -> None:
    coordinates = _integers(call, image_type(call, image), coordinate)
    wanted = _in_registers(texel.type)
    if wanted != texel.type:
        texel = call.builder.add(ExtFOp(texel, wanted))
    call.builder.check(WriteOp(texel, image, coordinates))


def _is_zero(value: Value) -> bool:
    return isinstance(value, Constant) and not value.value


# Functions of OpenCL C


@builtin("read_imagef", "read_imagei", "read_imageui", "read_imageh")
def read_image(call: Call) -> SSAValue:
    """Imports `read_image*(image, coordinate)` and `read_image*(image, sampler, coordinate, level)`."""
    image, second, *others = call.operands
    sampler = call.importer.value(second)
    if not isinstance(sampler.type, ImageSamplerType):
        _refuse_others(call, others)
        return _read(call, call.importer.value(image), sampler)
    coordinate, *others = others
    _refuse_others(call, others[1:])
    level = others[0] if others else None
    return _sample(call, call.importer.value(image), sampler, call.importer.value(coordinate), level)


@builtin("write_imagef", "write_imagei", "write_imageui", "write_imageh")
def write_image(call: Call) -> None:
    """Imports `write_image*(image, coordinate, texel)`."""
    _refuse_others(call, call.operands[3:])
    _write(call, call.value(0), call.value(1), call.value(2))


def _refuse_others(call: Call, operands: Sequence[Value]) -> None:
    if operands:
        call.builder.error(
            f"calls '{call.name}' with {len(call.operands)} arguments: "
            "gradients, and levels other than that of a sample, are not supported"
        )


# Instructions of SPIR-V


def _level(call: Call, place: int, *, allows_level: bool) -> Value | None:
    """Returns the level of detail among the image operands, whose mask is the argument at `place`."""
    if len(call.operands) <= place:
        return None
    mask = call.number(place) & ~_EXTENSIONS
    if mask == _LOD and (allows_level or _is_zero(call.operand(place + 1))):
        return call.operand(place + 1)
    if mask:
        what = "gradients" if mask == _GRAD else f"image operands {mask:#x}"
        call.builder.error(f"calls '{call.name}' with {what}: only a level of detail is supported, in samples")
    return None


@builtin("__spirv_ImageSampleExplicitLod")
def image_sample(call: Call) -> SSAValue:
    parts = call.importer.parts(call.operand(0))
    if len(parts) != 2:
        call.builder.error(f"calls '{call.name}' with a value of type {parts[0].type}: expected a sampled image")
    return _sample(call, *parts, call.value(1), _level(call, 2, allows_level=True))


@builtin("__spirv_ImageRead", "__spirv_ImageFetch")
def image_read(call: Call) -> SSAValue:
    _level(call, 2, allows_level=False)
    return _read(call, call.value(0), call.value(1))


@builtin("__spirv_ImageWrite")
def image_write(call: Call) -> None:
    _level(call, 3, allows_level=False)
    _write(call, call.value(0), call.value(1), call.value(2))
