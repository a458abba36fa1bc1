"""`convert-xevm-to-xegpu`: messages and products of lanes, on pointers and dwords, as those of XeGPU."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    FloatTF32Type,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    UnrealizedConversionCastOp,
    VectorType,
    f32,
    i64,
)
from xdsl.dialects.gpu import DimensionAttr
from xdsl.dialects.llvm import PtrToIntOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from passes.support.op_builder import Index, OpBuilder
from passes.support.op_table import OpTable
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream import gpu
from xegpu.dialects.upstream.arith import ExtUIOp, IndexCastOp, TruncFOp
from xegpu.dialects.upstream.vector import BitcastOp, BroadcastOp, ExtractOp, vector_type
from xegpu.dialects.upstream.xevm import (
    GROUP_COUNT_OPS,
    GROUP_ID_OPS,
    LOCAL_ID_OPS,
    LOCAL_SIZE_OPS,
    MESSAGE_LANES,
    AddrSpace,
    BlockLoad2dOp,
    BlockLoadOp,
    BlockPrefetch2dOp,
    BlockStore2dOp,
    BlockStoreOp,
    DimensionIdOp,
    LaneIdOp,
    LoadCacheControl,
    LoadCacheControlAttr,
    MemfenceOp,
    MemScope,
    MmaOp,
    PrefetchOp,
    StoreCacheControl,
    StoreCacheControlAttr,
    SubgroupIdOp,
    SubgroupSizeOp,
)
from xegpu.dialects.xegpu import (
    BlockTensorDescAttr,
    CacheHint,
    CacheHints,
    CreateNdDescOp,
    FenceOp,
    FenceScope,
    LoadNdOp,
    MemorySpace,
    PrefetchNdOp,
    PrefetchOp as GatherPrefetchOp,
    StoreNdOp,
    TensorDescType,
    element_bits,
)

_HINTS: Mapping[str, CacheHint] = {
    "uc": CacheHint.UNCACHED,
    "c": CacheHint.CACHED,
    "s": CacheHint.STREAMING,
    "wb": CacheHint.WRITE_BACK,
    "wt": CacheHint.WRITE_THROUGH,
}
"""The behaviour of a cache level, by its name in cache controls of xevm."""

_SCOPES: Mapping[MemScope, FenceScope] = {
    MemScope.LANE: FenceScope.WORKGROUP,
    MemScope.SUBGROUP: FenceScope.WORKGROUP,
    MemScope.WORKGROUP: FenceScope.WORKGROUP,
}
"""Scopes of fences; wider ones are that of the GPU."""


_CONVERSIONS = OpTable[OpBuilder, Sequence[SSAValue]]()
"""The conversions, which return the values that replace the results of an operation."""


@dataclass(frozen=True)
class ConvertXevmToXegpuPass(ModulePass):
    """Rewrites the operations of xevm in kernels as operations of XeGPU that lanes execute.

    A block is described anew for each message, by the sizes that the message states. Raises `CompileError` for products
    of 4-bit integers, and of
    signed by unsigned bytes.
    """

    name = "convert-xevm-to-xegpu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [o for o in op.walk() if isinstance(o, gpu.FuncOp)]:
            for inner in list(function.walk()):
                if (convert := _CONVERSIONS.get(inner)) is not None:
                    results = convert(OpBuilder(inner), inner)
                    Rewriter.replace_op(inner, [], results)


def _hints(control: LoadCacheControlAttr | StoreCacheControlAttr | None) -> CacheHints:
    """Returns the hints of a control such as `L1c_L2uc_L3c`."""
    if control is None or control.data in (LoadCacheControl.USE_DEFAULT, StoreCacheControl.USE_DEFAULT):
        return CacheHints()
    if control.data is LoadCacheControl.IR:
        return CacheHints(*3 * [CacheHint.READ_INVALIDATE])
    return CacheHints(*(_HINTS[level[2:]] for level in control.data.split("_")))


def _address(builder: OpBuilder, pointer: SSAValue) -> SSAValue:
    return builder.add(PtrToIntOp(pointer, i64))


def _index(builder: OpBuilder, number: SSAValue, *, signed: bool = True) -> Index:
    """Returns an i32 as an index."""
    owner = number.owner
    if isinstance(owner, ConstantOp) and isa(owner.value, IntegerAttr):
        return owner.value.value.data
    wide = number if signed else builder.add(ExtUIOp(number, i64))
    return builder.add(IndexCastOp(wide, IndexType()))


def _plane(builder: OpBuilder, op: BlockLoad2dOp | BlockStore2dOp | BlockPrefetch2dOp) -> tuple[SSAValue, list[Index]]:
    """Returns the descriptor of the blocks of a message, and the offsets at which they begin."""
    size = op.bits // 8
    height, width, pitch = (
        _index(builder, number, signed=False) for number in (op.base_height, op.base_width, op.base_pitch)
    )
    shape = [height, builder.quotient(width, size)]
    strides = [builder.quotient(pitch, size), 1]
    encoding = BlockTensorDescAttr(array_length=op.blocks) if op.blocks > 1 else None
    desc = TensorDescType(op.tile, IntegerType(op.bits), encoding)
    address = _address(builder, op.ptr)
    described = CreateNdDescOp(address, None, desc, shape, strides, keyword_lists=True)
    return builder.add(described), [_index(builder, op.y), _index(builder, op.x)]


def _retyped(builder: OpBuilder, value: SSAValue, element: Attribute) -> SSAValue:
    """Returns the bits of a vector as elements of a type."""
    old = vector_type(value)
    if old.element_type == element:
        return value
    if isinstance(element, FloatTF32Type):  # a word, of which a product reads the leading bits
        word = _retyped(builder, value, f32)
        return builder.add(TruncFOp(word, VectorType(element, vector_type(word).get_shape())))
    count = old.element_count() * element_bits(old.element_type) // element_bits(element)
    return builder.add(BitcastOp(operands=[value], result_types=[VectorType(element, [count])]))


@_CONVERSIONS.register(UnrealizedConversionCastOp)
def _cast(builder: OpBuilder, op: UnrealizedConversionCastOp) -> list[SSAValue]:
    """Casts numbers to and from indices, as upstream leaves them where it has lowered one side of the cast only."""
    before, after = op.operand_types, op.result_types
    if len(before) == len(after) == 1 and {before[0], after[0]} == {IndexType(), i64}:
        return [builder.add(IndexCastOp(op.operands[0], after[0]))]
    types = (", ".join(map(str, side)) for side in (before, after))
    raise CompileError(op, "casts {} to {}, which is supported for index and i64 only".format(*types))


_UNITS = (8, 16, 32)
"""The bits that a lane can have of a row; what else a shape asks for is refused where it is lowered."""


@_CONVERSIONS.register(MmaOp)
def _product(builder: OpBuilder, op: MmaOp) -> list[SSAValue]:
    """Gives the operands of a product the elements in which registers hold them, whatever elements lanes name them by.

    What a lane holds are bits: its share of each row of A, which is one element if that is wider, and words of B.
    """
    name = op.types.a.data
    bits_of_a = int(name.lstrip("bfstu"))
    unit = bits_of_a if name == "tf32" else op.shape.k.data * bits_of_a // max(op.shape.n.data, 1)
    product = op.clone()
    for position, bits in ((0, unit), (1, 32)):
        old = vector_type(op.operands[position])
        if bits in _UNITS and element_bits(old.element_type) != bits and _lane_bits(old) % bits == 0:
            product.operands[position] = _retyped(builder, op.operands[position], IntegerType(bits))
    return [builder.add(product)]


def _lane_bits(type: VectorType[Attribute]) -> int:
    return type.element_count() * element_bits(type.element_type)


def _fragment(op: BlockLoad2dOp | BlockStore2dOp) -> VectorType[Attribute]:
    """Returns the type of a lane's part of a block, in elements of the message."""
    return VectorType(IntegerType(op.bits), [op.part_bits // op.bits])


@_CONVERSIONS.register(BlockLoad2dOp)
def _load_2d(builder: OpBuilder, op: BlockLoad2dOp) -> list[SSAValue]:
    desc, offsets = _plane(builder, op)
    load = LoadNdOp(
        desc,
        _fragment(op),
        packed=op.is_packed,
        transpose=(1, 0) if op.is_transposed else None,
        hints=_hints(op.cache_control),
        offsets=offsets,
    )
    return [_retyped(builder, builder.add(load), vector_type(op.res).element_type)]


@_CONVERSIONS.register(BlockStore2dOp)
def _store_2d(builder: OpBuilder, op: BlockStore2dOp) -> list[SSAValue]:
    desc, offsets = _plane(builder, op)
    value = _retyped(builder, op.stored_val, IntegerType(op.bits))
    builder.insert(StoreNdOp(value, desc, _hints(op.cache_control), offsets))
    return []


@_CONVERSIONS.register(BlockPrefetch2dOp)
def _prefetch_2d(builder: OpBuilder, op: BlockPrefetch2dOp) -> list[SSAValue]:
    desc, offsets = _plane(builder, op)
    builder.insert(PrefetchNdOp(desc, _hints(op.cache_control), offsets))
    return []


def _line(builder: OpBuilder, op: BlockLoadOp | BlockStoreOp, value: Attribute) -> tuple[SSAValue, VectorType]:
    """Returns the descriptor of the elements of all lanes, and the type of those of one lane."""
    own = value if isa(value, VectorType) else VectorType(value, [1])
    count = MESSAGE_LANES * own.element_count()
    desc = TensorDescType([count], own.element_type)
    return builder.add(CreateNdDescOp(_address(builder, op.ptr), None, desc, [count], [1], keyword_lists=True)), own


@_CONVERSIONS.register(BlockLoadOp)
def _load(builder: OpBuilder, op: BlockLoadOp) -> list[SSAValue]:
    desc, own = _line(builder, op, op.res.type)
    loaded = builder.add(LoadNdOp(desc, own, hints=_hints(op.cache_control), offsets=[0]))
    return [loaded if loaded.type == op.res.type else builder.add(ExtractOp(loaded, [0]))]


@_CONVERSIONS.register(BlockStoreOp)
def _store(builder: OpBuilder, op: BlockStoreOp) -> list[SSAValue]:
    desc, own = _line(builder, op, op.val.type)
    value = op.val if op.val.type == own else builder.add(BroadcastOp(op.val, own))
    builder.insert(StoreNdOp(value, desc, _hints(op.cache_control), [0]))
    return []


@_CONVERSIONS.register(PrefetchOp)
def _prefetch(builder: OpBuilder, op: PrefetchOp) -> list[SSAValue]:
    offset = builder.value(0)
    hints = _hints(op.cache_control)
    builder.insert(GatherPrefetchOp(_address(builder, op.ptr), hints, offset, offset_align_byte=1))
    return []


@_CONVERSIONS.register(MemfenceOp)
def _fence(builder: OpBuilder, op: MemfenceOp) -> list[SSAValue]:
    scope, space = _SCOPES.get(op.scope.data, FenceScope.GPU), op.addrspace.data
    if space in (AddrSpace.SHARED, AddrSpace.GENERIC):
        builder.insert(FenceOp(MemorySpace.SLM, FenceScope.WORKGROUP))
    if space in (AddrSpace.GLOBAL, AddrSpace.GENERIC):
        builder.insert(FenceOp(MemorySpace.GLOBAL, scope))
    return []


def _id(number: type[Operation]) -> Callable[[OpBuilder, Operation], list[SSAValue]]:
    """Returns a conversion into an index of the gpu dialect."""

    def convert(builder: OpBuilder, op: Operation) -> list[SSAValue]:
        (result,) = op.results
        return [builder.add(IndexCastOp(builder.add(number.create(result_types=[IndexType()])), result.type))]

    return convert


def _dimension_id(number: Callable[[DimensionAttr], Operation]) -> Callable[[OpBuilder, DimensionIdOp], list[SSAValue]]:
    """Returns a conversion into an index of the gpu dialect that each dimension has."""

    def convert(builder: OpBuilder, op: DimensionIdOp) -> list[SSAValue]:
        return [builder.add(IndexCastOp(builder.add(number(op.dimension)), op.res.type))]

    return convert


for _op, _number in ((LaneIdOp, gpu.LaneIdOp), (SubgroupIdOp, gpu.SubgroupIdOp), (SubgroupSizeOp, gpu.SubgroupSizeOp)):
    _CONVERSIONS.register(_op)(_id(_number))
_CONVERSIONS.register(*GROUP_COUNT_OPS)(_dimension_id(gpu.GridDimOp))
_CONVERSIONS.register(*GROUP_ID_OPS)(_dimension_id(gpu.BlockIdOp))
_CONVERSIONS.register(*LOCAL_ID_OPS)(_dimension_id(gpu.ThreadIdOp))
_CONVERSIONS.register(*LOCAL_SIZE_OPS)(_dimension_id(gpu.BlockDimOp))
