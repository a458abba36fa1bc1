"""Messages of subgroups about blocks of a plane, which SPIR-V and OpenCL C keep in private memory."""

from __future__ import annotations

import re
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr, IntegerType, VectorType, i1, i32
from xdsl.ir import Attribute, SSAValue

from passes.frontends.llvm.functions.work_items import lanes_are
from passes.frontends.llvm.importer.calls import Call, builtin, builtins_like
from xegpu.dialects.upstream.llvm import LoadOp, StoreOp, alignment_of
from xegpu.dialects.upstream.vector import ExtractOp
from xegpu.dialects.upstream.xevm import MESSAGE_LANES, BlockLoad2dOp, BlockPrefetch2dOp, BlockStore2dOp


@dataclass(frozen=True)
class _Block:
    """Blocks that lie side by side: their elements in bits, rows, columns and number."""

    bits: int
    height: int
    width: int
    count: int

    def part(self, *, packed: bool) -> VectorType[Attribute]:
        """Returns the type of a lane's part: bytes come in pairs, and packed elements in words."""
        total = self.bits * self.height * self.width * self.count // MESSAGE_LANES
        unit = 32 if packed else min(max(self.bits, 16), total)
        return VectorType(IntegerType(unit), [max(total // unit, 1)])

    @property
    def properties(self) -> dict[str, Attribute]:
        """Returns the sizes as the operations have them."""
        sizes = {"elem_size_in_bits": self.bits, "tile_height": self.height, "tile_width": self.width}
        return {name: IntegerAttr(size, i32) for name, size in sizes.items()}


def _plane(call: Call, first: int) -> list[SSAValue]:
    """Returns the plane of a message: base, width, height and pitch in bytes, column and row."""
    lanes_are(call, MESSAGE_LANES)
    place = call.value(first + 4)
    coordinates = [call.builder.add(ExtractOp(place, [i])) for i in range(2)]
    return [*(call.value(i) for i in range(first, first + 4)), *coordinates]


def _loaded(call: Call, block: _Block, first: int, form: str) -> SSAValue:
    packed = form == "transform"
    type = block.part(packed=packed)
    properties = block.properties | {
        "v_blocks": IntegerAttr(block.count, i32),
        "transpose": IntegerAttr(form == "transpose", i1),
        "pack_register": IntegerAttr(packed, i1),
    }
    op = BlockLoad2dOp.create(operands=_plane(call, first), properties=properties, result_types=[type])
    return call.builder.verified(op)


def _store(call: Call, block: _Block, first: int, value: SSAValue) -> None:
    op = BlockStore2dOp.create(operands=[*_plane(call, first), value], properties=block.properties)
    call.builder.check(op)


def _prefetch(call: Call, block: _Block, first: int) -> None:
    properties = block.properties | {"v_blocks": IntegerAttr(block.count, i32)}
    call.builder.check(BlockPrefetch2dOp.create(operands=_plane(call, first), properties=properties))


_FORMS = {"": "", "Transform": "transform", "Transpose": "transpose"}


@builtin(*(f"__spirv_Subgroup2DBlockLoad{form}INTEL" for form in _FORMS))
def load(call: Call) -> None:
    form = call.name.removeprefix("__spirv_Subgroup2DBlockLoad").removesuffix("INTEL")
    value, target = _loaded(call, _stated(call), 4, _FORMS[form]), call.value(9)
    call.builder.insert(StoreOp(value, target, _alignment(value.type)))


@builtin("__spirv_Subgroup2DBlockPrefetchINTEL")
def prefetch(call: Call) -> None:
    _prefetch(call, _stated(call), 4)


@builtin("__spirv_Subgroup2DBlockStoreINTEL")
def store(call: Call) -> None:
    block = _stated(call)
    type = block.part(packed=False)
    _store(call, block, 5, call.builder.add(LoadOp(call.value(4), type, _alignment(type))))


def _alignment(type: Attribute) -> int:
    """Returns the alignment in bytes of a block in private memory."""
    assert isinstance(type, VectorType)
    return alignment_of(type.get_element_type())


def _stated(call: Call) -> _Block:
    """Returns the block of an instruction of SPIR-V, whose elements are counted in bytes."""
    size, width, height, count = (call.number(i) for i in range(4))
    return _Block(8 * size, height, width, count)


_NAME = re.compile(
    r"(?:intel_sub_group_)?2d_block_(read|write|prefetch)(_transform|_transpose|)_(\d+)b_(\d+)r(\d+)x(\d+)c"
)
"""The names of messages without memory (`passes/frontends/block_messages.py`), and of those that have none."""


@builtins_like(_NAME.pattern)
def named(call: Call) -> SSAValue | None:
    """Returns the block of a load. The name tells the block: bits, rows, columns of a block, and blocks."""
    found = _NAME.fullmatch(call.name)
    assert found is not None
    bits, height, width, count = map(int, found.groups()[2:])
    block = _Block(bits, height, width, count)
    if found[1] == "read":
        return _loaded(call, block, 0, found[2].removeprefix("_"))
    if found[1] == "write":
        _store(call, block, 0, call.value(5))
    else:
        _prefetch(call, block, 0)
    return None
