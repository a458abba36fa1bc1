"""`convert-xegpu-to-xetile`: raises subgroup kernels whose blocks have any size to XeTile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from passes.convert_xegpu_to_xetile.matrices import raise_matrix_access
from passes.support.layouts import drop_layouts
from passes.support.op_builder import Index, OpBuilder
from passes.support.tiles.planes import split_planes
from passes.support.tiles.source_extent import Extent, explicit_extent
from passes.support.value_expansion import ValueExpansion
from passes.support.webs.descriptors import DescriptorWeb, descriptor_webs
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import (
    CreateNdDescOp,
    DpasOp,
    LoadNdOp,
    MemorySpace,
    PrefetchNdOp,
    StoreNdOp,
    TensorDescType,
    UpdateNdOffsetOp,
    is_of_llvm22,
)
from xegpu.dialects.xetile import (
    InitTileOp,
    LoadTileOp,
    PrefetchTileOp,
    StoreTileOp,
    TileMMAOp,
    TileType,
    UpdateTileOffsetOp,
)


@dataclass(frozen=True)
class ConvertXegpuToXetilePass(ModulePass):
    """Converts matrix products and accesses of 2-D blocks and matrices in kernels that use the XeGPU of LLVM 22.

    There a block may have any size, as in XeTile, whose passes then cut it into what the target's instructions handle.
    Blocks and products with batch dimensions become those of their planes first. Descriptors that flow into one
    another are converted together. Blocks that are packed or transposed on their way, that lie in shared local memory,
    or that are of rank 1 stay as they are, and so do matrices with blocks.
    """

    name = "convert-xegpu-to-xetile"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [o for o in op.walk() if isinstance(o, FuncOp)]:
            if is_of_llvm22(function):
                drop_layouts(function)
                split_planes(function)
                tiles = {value for web in descriptor_webs(function) if _is_convertible(web) for value in web.values}
                _Raising(tiles).run(function.body)


def _is_convertible(web: DescriptorWeb) -> bool:
    """Returns whether XeTile can express the blocks of some descriptors, and all accesses of them."""
    return all(_is_plain_block(value.type) for value in web.values) and all(map(_is_plain_use, web.users))


def _is_plain_block(type_: Attribute) -> bool:
    return (
        isinstance(type_, TensorDescType)
        and not type_.is_scattered
        and type_.get_num_dims() == 2
        and type_.array_length == 1
        and type_.memory_space is MemorySpace.GLOBAL
    )


def _is_plain_use(op: Operation) -> bool:
    if isinstance(op, LoadNdOp):
        return not op.is_packed and not op.is_transposed and _is_whole(op.value, op.desc)
    if isinstance(op, StoreNdOp):
        return _is_whole(op.value, op.desc)
    return True


def _is_whole(value: SSAValue, desc: TensorDescType) -> bool:
    return isa(value.type, VectorType) and value.type.get_shape() == desc.get_shape()


# Conversion ----------------------------------------------------------------------------------------------------------


class _Raising(ValueExpansion):
    """Replaces descriptors by tiles."""

    def __init__(self, descriptors: set[SSAValue]):
        super().__init__()
        self._descriptors = descriptors
        self._extents: dict[CreateNdDescOp, Extent | None] = {}

    def types(self, value: SSAValue) -> Sequence[Attribute] | None:
        if value not in self._descriptors:
            return None
        assert isinstance(value.type, TensorDescType)
        return [_tile_type(value.type)]

    def rewrite(self, op: Operation) -> bool:
        builder = OpBuilder(op)
        match op:
            case CreateNdDescOp() if op.tensor_desc in self._descriptors:
                self._extents[op] = explicit_extent(op)
                self.bind(op.tensor_desc, [self._tile(builder, op, op.mixed_offsets)])
            case UpdateNdOffsetOp() if op.tensor_desc in self._descriptors:
                (tile,) = self.parts(op.tensor_desc)
                self.bind(op.result, [_moved(builder, tile, op.mixed_offsets)])
            case LoadNdOp() if op.tensor_desc in self._descriptors:
                loaded = builder.add(LoadTileOp(self._at(builder, op), hints=op.hints))
                op.value.replace_all_uses_with(loaded)
            case StoreNdOp() if op.tensor_desc in self._descriptors:
                builder.insert(StoreTileOp(op.value, self._at(builder, op), op.hints))
            case PrefetchNdOp() if op.tensor_desc in self._descriptors:
                builder.insert(PrefetchTileOp(self._at(builder, op), op.hints))
            case DpasOp() if _is_matrix_product(op):
                assert isa(op.result.type, VectorType)
                product = builder.add(TileMMAOp(op.lhs, op.rhs, op.acc, op.result.type))
                op.result.replace_all_uses_with(product)
            case _:
                return raise_matrix_access(op)
        return True

    def _at(self, builder: OpBuilder, op: LoadNdOp | StoreNdOp | PrefetchNdOp) -> SSAValue:
        """Returns the tile that an access addresses."""
        (tile,) = self.parts(op.tensor_desc)
        offsets, create = op.mixed_offsets, op.tensor_desc.owner
        if offsets is None:
            return tile
        if not isinstance(create, CreateNdDescOp):
            return _moved(builder, tile, offsets)
        base = create.mixed_offsets
        outer = len(base) - len(offsets)
        total: list[Index] = [builder.plus(a, b) for a, b in zip(base[outer:], offsets, strict=True)]
        return self._tile(builder, create, [*base[:outer], *total])

    def _tile(self, builder: OpBuilder, create: CreateNdDescOp, offsets: Sequence[Index]) -> SSAValue:
        """Returns the tile at `offsets` of the memory that a descriptor is for."""
        sizes, strides = self._extents[create] or (None, None)
        return builder.add(InitTileOp(create.source, offsets, _tile_type(create.tensor_desc.type), sizes, strides))


def _tile_type(desc: TensorDescType) -> TileType:
    return TileType(desc.get_shape(), desc.element_type)


def _moved(builder: OpBuilder, tile: SSAValue, offsets: Sequence[Index]) -> SSAValue:
    rows, columns = (builder.value(offset) for offset in offsets)
    return builder.add(UpdateTileOffsetOp(tile, (rows, columns)))


def _is_matrix_product(op: DpasOp) -> bool:
    return (
        all(isa(value.type, VectorType) and value.type.get_num_dims() == 2 for value in (op.lhs, op.rhs, op.result))
        and op.lane_maps is None
    )
