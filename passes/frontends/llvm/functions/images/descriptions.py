"""Imports queries of images: functions of OpenCL C, and instructions of SPIR-V."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Attribute, SSAValue

from passes.frontends.llvm.functions.images.objects import image_type
from passes.frontends.llvm.importer.builder import i32
from passes.frontends.llvm.importer.calls import Call, builtin
from xegpu.dialects.image import QueryOp, sizes_of
from xegpu.dialects.upstream.arith import ExtUIOp
from xegpu.dialects.upstream.vector import FromElementsOp

_DEPTH_ORDER = 0x10BD
"""OpenCL's number of the channel order of depths, which no image has by itself."""

_FIRST_DATA_TYPE, _FIRST_ORDER = 0x10D0, 0x10B0
"""OpenCL's numbers of what SPIR-V counts from 0."""

_FUNCTIONS: Mapping[str, str] = {
    "get_image_width": "width",
    "get_image_height": "height",
    "get_image_depth": "depth",
    "get_image_array_size": "array_size",
    "get_image_num_mip_levels": "num_mip_levels",
    "get_image_channel_data_type": "channel_data_type",
    "get_image_channel_order": "channel_order",
    "__spirv_ImageQueryLevels": "num_mip_levels",
}


def _asked(call: Call, fact: str, type: Attribute) -> SSAValue:
    """Returns a number that describes the image, in 32 or 64 bits."""
    image = call.value(0)
    form = image_type(call, image).form
    if fact == "channel_order" and form.is_depth:
        return call.builder.i32(_DEPTH_ORDER)
    number = call.builder.verified(QueryOp(fact, image))
    if not isinstance(type, IntegerType) or type.width.data not in (32, 64):
        call.builder.error(f"calls '{call.name}', which gives a number, for a value of type {type}")
    return number if type == i32 else call.builder.add(ExtUIOp(number, type))


@builtin(*_FUNCTIONS)
def number(call: Call) -> SSAValue:
    return _asked(call, _FUNCTIONS[call.name], call.type)


@builtin("__spirv_ImageQueryFormat")
def data_type(call: Call) -> SSAValue:
    return _counted(call, "channel_data_type", _FIRST_DATA_TYPE)


@builtin("__spirv_ImageQueryOrder")
def order(call: Call) -> SSAValue:
    return _counted(call, "channel_order", _FIRST_ORDER)


def _counted(call: Call, fact: str, first: int) -> SSAValue:
    return call.builder.add(arith.SubiOp(_asked(call, fact, call.type), call.builder.i32(first)))


@builtin("get_image_dim", "__spirv_ImageQuerySize", "__spirv_ImageQuerySizeLod")
def sizes(call: Call) -> SSAValue:
    """Imports a question for all sizes. All levels of detail have one size; components that are left are 0."""
    names = sizes_of(image_type(call, call.value(0)).form)
    if not isinstance(call.type, VectorType):
        return _asked(call, names[0], call.type)
    element, count = call.type.get_element_type(), call.type.element_count()
    if call.name == "get_image_dim":
        names = tuple(name for name in names if name != "array_size")
    found = [_asked(call, name, element) for name in names[:count]]
    found += [call.builder.constant(element, 0)] * (count - len(found))
    return call.builder.add(FromElementsOp(found, call.type))
