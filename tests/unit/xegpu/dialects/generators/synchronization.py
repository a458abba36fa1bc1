"""XeGPU's barriers and fences."""

from __future__ import annotations

from hypothesis import strategies as st
from xdsl.dialects.builtin import i8

from tests.unit.xegpu.dialects.generators.scope import Production, Scope
from xegpu.dialects.xegpu import (
    AllocNbarrierOp,
    CompileHintOp,
    FenceOp,
    FenceScope,
    InitNbarrierOp,
    MemorySpace,
    NbarrierArriveOp,
    NbarrierType,
    NbarrierWaitOp,
)


def alloc(scope: Scope) -> None:
    scope.add(AllocNbarrierOp(scope.draw(st.integers(0, 32))))


def init(scope: Scope) -> None:
    scope.add(InitNbarrierOp(scope.value(i8), scope.value(i8)))


def arrive_or_wait(scope: Scope) -> None:
    scope.add(scope.one_of((NbarrierArriveOp, NbarrierWaitOp))(scope.value(NbarrierType())))


def fence(scope: Scope) -> None:
    scope.add(FenceOp(scope.draw(st.sampled_from(MemorySpace)), scope.draw(st.sampled_from(FenceScope))))


def hint(scope: Scope) -> None:
    scope.add(CompileHintOp())


SYNCHRONIZATION: tuple[Production, ...] = (alloc, init, arrive_or_wait, fence)

COMPILE_HINTS: tuple[Production, ...] = (hint,)
