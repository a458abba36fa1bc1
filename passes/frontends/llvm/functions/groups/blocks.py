"""Block reads and writes of subgroups: component c of lane l is element c * lanes + l behind a uniform pointer."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.type import get_element_type_or_self

from passes.frontends.llvm.functions.groups.image_blocks import read_block, write_block
from passes.frontends.llvm.functions.groups.lanes import lane_number
from passes.frontends.llvm.importer.calls import Call, builtin, builtins_like
from xegpu.dialects.image import ImageSurfaceType
from xegpu.dialects.upstream.arith import ExtUIOp
from xegpu.dialects.upstream.llvm import LoadOp, StoreOp
from xegpu.dialects.upstream.vector import ExtractOp, FromElementsOp

_FORMS = "(?:_uc|_us|_ui|_ul)?(?:2|4|8|16)?"
"""The endings of the functions' names: the type of elements, and the components of a lane."""


def _places(call: Call, type: Attribute) -> Iterator[tuple[SSAValue, Attribute, int]]:
    """Yields pointers to the components of a lane, their type and its size."""
    builder, element = call.builder, get_element_type_or_self(type)
    size = call.element_bytes(type)
    lane = builder.add(ExtUIOp(lane_number(call), i64))
    for component in range(type.element_count() if isinstance(type, VectorType) else 1):
        index = builder.add(arith.AddiOp(lane, builder.i64(component * call.importer.lanes)))
        yield builder.element(call.value(0), index, size), element, size


@builtins_like(f"intel_sub_group_block_read{_FORMS}")
@builtin("__spirv_SubgroupBlockReadINTEL")
def read(call: Call) -> SSAValue:
    if isinstance(call.value(0).type, ImageSurfaceType):
        return read_block(call, call.importer.lanes)
    parts = [call.builder.add(LoadOp(place, type, size)) for place, type, size in _places(call, call.type)]
    return call.builder.add(FromElementsOp(parts, call.type)) if isinstance(call.type, VectorType) else parts[0]


@builtins_like(f"intel_sub_group_block_write{_FORMS}")
@builtin("__spirv_SubgroupBlockWriteINTEL")
def write(call: Call) -> None:
    if isinstance(call.value(0).type, ImageSurfaceType):
        write_block(call, call.value(2), call.importer.lanes)
        return
    value = call.value(1)
    for component, (place, _, size) in enumerate(_places(call, value.type)):
        part = call.builder.add(ExtractOp(value, [component])) if isinstance(value.type, VectorType) else value
        call.builder.insert(StoreOp(part, place, size))


@builtins_like(f"intel_sub_group_block_prefetch{_FORMS}")
@builtin("__spirv_SubgroupBlockPrefetchINTEL")
def prefetch(call: Call) -> None:
    """A hint: it fetches nothing."""
