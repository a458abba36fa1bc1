"""Functions around random operations, with structured and unstructured control flow between them."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from xdsl.dialects import cf, func, scf
from xdsl.dialects.builtin import ModuleOp, VectorType, f32, i1
from xdsl.ir import Attribute, Block, Region, SSAValue

from tests.unit.xegpu.dialects.generators.scope import Production, Scope, index
from xegpu.dialects.upstream import gpu

MAX_OPERATIONS = 6
MAX_DEPTH = 2

CARRIED: tuple[Attribute, ...] = (f32, index, VectorType(f32, [8, 16]))
"""Types of what goes round loops and out of branches."""


def fill(scope: Scope, productions: Sequence[Production], depth: int = 0) -> None:
    for _ in range(scope.draw(st.integers(0, MAX_OPERATIONS))):
        if depth < MAX_DEPTH and not scope.draw(st.integers(0, 5)):
            scope.one_of((add_loop, add_branch))(scope, productions, depth + 1)
        else:
            scope.one_of(productions)(scope)


def carried(scope: Scope) -> list[SSAValue]:
    return [scope.value(scope.one_of(CARRIED)) for _ in range(scope.draw(st.integers(0, 2)))]


def add_loop(scope: Scope, productions: Sequence[Production], depth: int) -> None:
    low, high, step = scope.value(index), scope.value(index), scope.value(index)
    start = carried(scope)
    body = Block(arg_types=[index, *(value.type for value in start)])
    inner = scope.inside(body)
    fill(inner, productions, depth)
    inner.add(scf.YieldOp(*(inner.value(value.type) for value in start)))
    scope.add(scf.ForOp(low, high, step, start, Region(body)))


def add_branch(scope: Scope, productions: Sequence[Production], depth: int) -> None:
    condition = scope.value(i1)
    types = [value.type for value in carried(scope)]
    regions: list[Region] = []
    for _ in range(2 if types else scope.one_of((1, 2))):
        block = Block()
        inner = scope.inside(block)
        fill(inner, productions, depth)
        inner.add(scf.YieldOp(*(inner.value(type_) for type_ in types)))
        regions.append(Region(block))
    scope.add(scf.IfOp(condition, types, regions[0], regions[1] if len(regions) > 1 else None))


@st.composite
def modules(draw: st.DrawFn, productions: Sequence[Production]) -> ModuleOp:
    """A module with a function of one to three blocks; on the device or on the host."""
    is_kernel = draw(st.booleans())
    leave = gpu.ReturnOp() if is_kernel else func.ReturnOp()
    entry = Block()
    region = Region(entry)
    scope = Scope(draw, entry, (), entry)
    fill(scope, productions)
    for _ in range(draw(st.integers(0, 2))):
        passed = carried(scope)
        block = Block(arg_types=[value.type for value in passed])
        region.add_block(block)
        scope.add(cf.BranchOp(block, *passed))
        scope = scope.inside(block)
        fill(scope, productions)
    scope.add(leave)
    signature = (entry.arg_types, ())
    if is_kernel:
        return ModuleOp([gpu.ModuleOp("kernels", [gpu.FuncOp("f", signature, region, kernel=draw(st.booleans()))])])
    return ModuleOp([func.FuncOp("f", signature, region)])
