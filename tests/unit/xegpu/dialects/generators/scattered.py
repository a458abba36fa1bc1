"""XeGPU's operations on scattered places."""

from __future__ import annotations

from hypothesis import strategies as st
from xdsl.dialects.builtin import MemRefType, NoneAttr, VectorType, bf16, f16, f32, f64, i1, i32, i64
from xdsl.ir import SSAValue

from tests.unit.xegpu.dialects.generators.blocks import READ_HINTS, SLM, UNSIGNED, WRITE_HINTS
from tests.unit.xegpu.dialects.generators.scope import Production, Scope, index
from xegpu.dialects.xegpu import (
    AtomicKind,
    AtomicRMWOp,
    CreateDescOp,
    LoadOp,
    MemorySpace,
    PrefetchOp,
    ScatterTensorDescAttr,
    StoreOp,
    TensorDescType,
    UpdateOffsetOp,
)

LANES = 16


def places(scope: Scope, *, chunk: int | None = None) -> TensorDescType:
    space = scope.one_of((None, MemorySpace.GLOBAL, MemorySpace.SLM))
    if chunk is None:
        element = scope.one_of((f16, bf16, i32, f32, i64, f64))
        return TensorDescType([LANES], element, ScatterTensorDescAttr(space, scope.one_of((None, 1))))
    return TensorDescType([LANES, chunk], scope.one_of((f16, i32, f32)), ScatterTensorDescAttr(space, chunk))


def mask(scope: Scope) -> SSAValue:
    return scope.value(VectorType(i1, [LANES]))


def create(scope: Scope) -> None:
    desc = places(scope, chunk=scope.one_of((None, 2, 4, 8)))
    is_local = desc.memory_space is MemorySpace.SLM
    memref = MemRefType(desc.element_type, [4096], memory_space=SLM if is_local else NoneAttr())
    source = memref if is_local else scope.one_of((memref, i64, UNSIGNED))
    scope.add(CreateDescOp(scope.value(source), scope.value(VectorType(index, [LANES])), desc))


def update(scope: Scope) -> None:
    scope.add(UpdateOffsetOp(scope.value(places(scope)), scope.value(VectorType(index, [LANES]))))


def prefetch(scope: Scope) -> None:
    scope.add(PrefetchOp(scope.value(places(scope)), scope.draw(READ_HINTS)))


def load(scope: Scope) -> None:
    desc = places(scope)
    result = VectorType(desc.element_type, [LANES])
    scope.add(LoadOp(scope.value(desc), mask(scope), result, hints=scope.draw(READ_HINTS)))


def store(scope: Scope) -> None:
    desc = places(scope)
    value = scope.value(VectorType(desc.element_type, [LANES]))
    scope.add(StoreOp(value, scope.value(desc), mask(scope), hints=scope.draw(WRITE_HINTS)))


def load_transposed(scope: Scope) -> None:
    desc = places(scope, chunk=scope.one_of((2, 4, 8)))
    result = VectorType(desc.element_type, desc.get_shape()[::-1])
    scope.add(LoadOp(scope.value(desc), mask(scope), result, transpose=True, hints=scope.draw(READ_HINTS)))


def store_transposed(scope: Scope) -> None:
    desc = places(scope, chunk=scope.one_of((2, 4, 8)))
    value = scope.value(VectorType(desc.element_type, desc.get_shape()[::-1]))
    scope.add(StoreOp(value, scope.value(desc), mask(scope), transpose=True, hints=scope.draw(WRITE_HINTS)))


def atomic(scope: Scope) -> None:
    desc = places(scope)
    kind = scope.draw(st.sampled_from(AtomicKind).filter(lambda kind: kind.fits(desc.element_type)))
    value = scope.value(VectorType(desc.element_type, [LANES]))
    scope.add(AtomicRMWOp(kind, scope.value(desc), mask(scope), value))


SCATTERED: tuple[Production, ...] = (create, update, prefetch, load, store)

ATOMICS: tuple[Production, ...] = (atomic,)

TRANSPOSED_SCATTERED: tuple[Production, ...] = (load_transposed, store_transposed)
