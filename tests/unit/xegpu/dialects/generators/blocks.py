"""XeGPU's operations on blocks, and products of matrices."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    Signedness,
    VectorType,
    bf16,
    f16,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute

from tests.unit.xegpu.dialects.generators.scope import Production, Scope, index
from xegpu.dialects.xegpu import (
    BlockTensorDescAttr,
    CacheHint,
    CacheHints,
    CreateNdDescOp,
    DpasOp,
    LoadNdOp,
    MemorySpace,
    PrefetchNdOp,
    SgMapAttr,
    StoreNdOp,
    TensorDescType,
    UpdateNdOffsetOp,
    element_bits,
    packing_factor,
)

ELEMENTS: tuple[Attribute, ...] = (i8, i16, i32, i64, f16, bf16, f32, f64)
UNSIGNED = IntegerType(64, Signedness.UNSIGNED)
SLM = IntegerAttr(3, i64)

_BOTH = (None, CacheHint.CACHED, CacheHint.UNCACHED)
READ_HINTS = st.builds(CacheHints, *[st.sampled_from((*_BOTH, CacheHint.STREAMING, CacheHint.READ_INVALIDATE))] * 3)
WRITE_HINTS = st.builds(CacheHints, *[st.sampled_from((*_BOTH, CacheHint.WRITE_BACK, CacheHint.WRITE_THROUGH))] * 3)


class Product(NamedTuple):
    """Types that matrix units multiply and add."""

    factor: Attribute
    sum: Attribute


PRODUCTS = (Product(f16, f32), Product(f16, f16), Product(bf16, f32), Product(bf16, bf16), Product(i8, i32))


def encoding(scope: Scope, *, rank: int, is_local: bool) -> BlockTensorDescAttr | None:
    if is_local:
        return BlockTensorDescAttr(MemorySpace.SLM)
    if scope.flip():
        return None
    length = scope.one_of((1, 2)) if rank == 2 else None
    return BlockTensorDescAttr(None, length, scope.one_of((None, True, False)))


def descriptor(scope: Scope) -> TensorDescType:
    element = scope.one_of(ELEMENTS)
    rank = scope.one_of((1, 2))
    shape = [scope.one_of((8, 16, 32)) for _ in range(rank)]
    return TensorDescType(shape, element, encoding(scope, rank=rank, is_local=rank == 1 and scope.flip()))


def create_from_memref(scope: Scope) -> None:
    desc = descriptor(scope)
    is_local = desc.memory_space is MemorySpace.SLM
    rank = scope.draw(st.integers(desc.get_num_dims(), 4))
    shape = [scope.one_of((1, 64, 4096)) for _ in range(rank)]
    source = scope.value(MemRefType(desc.element_type, shape, memory_space=SLM if is_local else NoneAttr()))
    scope.add(CreateNdDescOp(source, scope.list_of(rank), desc))


def create_with_sizes(scope: Scope) -> None:
    """Dynamic memrefs and addresses need sizes and strides."""
    desc = TensorDescType([8, 16], scope.one_of(ELEMENTS))
    dynamic = MemRefType(desc.element_type, [DYNAMIC_INDEX, DYNAMIC_INDEX])
    source = scope.value(scope.one_of((dynamic, i64, UNSIGNED)))
    sizes = [scope.value(index) if scope.flip() else scope.one_of((64, 128)) for _ in range(3)]
    scope.add(CreateNdDescOp(source, scope.list_of(2), desc, sizes[:2], [sizes[2], 1]))


def update(scope: Scope) -> None:
    desc = descriptor(scope)
    scope.add(UpdateNdOffsetOp(scope.value(desc), scope.list_of(desc.get_num_dims())))


def prefetch(scope: Scope) -> None:
    scope.add(PrefetchNdOp(scope.value(descriptor(scope)), scope.draw(READ_HINTS)))


def load(scope: Scope) -> None:
    desc = descriptor(scope)
    shape = list(desc.get_shape())
    permutation, packed = None, False
    if len(shape) == 2:
        packed = packing_factor(desc.element_type) > 1 and scope.flip()
        if packed:
            factor = packing_factor(desc.element_type)
            shape = [shape[0] // factor, shape[1], factor]
        elif desc.array_length == 1 and element_bits(desc.element_type) >= 32 and scope.flip():
            permutation = [1, 0]
            shape.reverse()
    if desc.array_length > 1:
        shape.insert(0, desc.array_length)
    result = VectorType(desc.element_type, shape)
    hints = scope.draw(READ_HINTS)
    scope.add(LoadNdOp(scope.value(desc), result, packed=packed, transpose=permutation, hints=hints))


def store(scope: Scope) -> None:
    desc = descriptor(scope)
    if desc.array_length > 1:
        return
    value = scope.value(VectorType(desc.element_type, desc.get_shape()))
    scope.add(StoreNdOp(value, scope.value(desc), scope.draw(WRITE_HINTS)))


def product(scope: Scope) -> None:
    types = scope.one_of(PRODUCTS)
    factor = packing_factor(types.factor)
    rows, depth = scope.one_of((1, 4, 8)), 8 * factor
    left = scope.value(VectorType(types.factor, [rows, depth]))
    right_shape = [depth // factor, 16, factor] if scope.flip() else [depth, 16]
    right = scope.value(VectorType(types.factor, right_shape))
    result = VectorType(types.sum, [rows, 16])
    scope.add(DpasOp(left, right, scope.value(result) if scope.flip() else None, result))


LANES, PAIRS = SgMapAttr([1, 16], [1, 1]), SgMapAttr([1, 16], [2, 1])


def mapped_product(scope: Scope) -> None:
    """Loads, product and store of a work-item, or of the whole subgroup that the maps divide."""
    types = {
        "a": TensorDescType([8, 16], f16, None, LANES),
        "b": TensorDescType([16, 16], f16, None, PAIRS),
        "c": TensorDescType([8, 16], f32, None, LANES),
    }
    is_lane = scope.flip()
    shapes = {"a": [8, 1], "b": [8, 2], "c": [8, 1]} if is_lane else {"a": [8, 16], "b": [16, 16], "c": [8, 16]}
    values = {}
    for name, desc in types.items():
        vector = VectorType(desc.element_type, shapes[name])
        (values[name],) = scope.add(LoadNdOp(scope.value(desc), vector, hints=scope.draw(READ_HINTS)))
    result = VectorType(f32, shapes["c"])
    op = DpasOp(values["a"], values["b"], scope.one_of((None, values["c"])), result, (LANES, PAIRS, LANES))
    scope.add(StoreNdOp(scope.add(op)[0], scope.value(types["c"]), scope.draw(WRITE_HINTS)))


def load_by_words(scope: Scope) -> None:
    """A transposed load that keeps small elements together."""
    element = scope.one_of((i8, f16, bf16))
    factor = packing_factor(element)
    desc = TensorDescType([16, 16], element)
    result = VectorType(element, [16 // factor, 16, factor])
    scope.add(LoadNdOp(scope.value(desc), result, transpose=[1, 0], transpose_bit_width=32))


BLOCKS: tuple[Production, ...] = (create_from_memref, update, prefetch, load, store, product)

MAPPED_BLOCKS: tuple[Production, ...] = (create_with_sizes, mapped_product, load_by_words)
