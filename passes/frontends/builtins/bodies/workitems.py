"""Bodies of OpenCL C's functions for ids, barriers and fences, which clang leaves in modules."""

from __future__ import annotations

from passes.frontends.builtins.bodies.body import Body, llvm, writes
from passes.frontends.builtins.mangling import Scalar
from passes.frontends.builtins.table import BUILTINS, DIMENSIONAL, Lowering

_INT = Scalar("i")

_IDS = {
    row.name: row.meaning for row in BUILTINS.values() if row.name.startswith("get_") and row.lowering is Lowering.BODY
}


@writes(*_IDS)
def _id(body: Body) -> None:
    name = _IDS[body.name]
    if name not in DIMENSIONAL:
        body.give(body.call(f"__spirv_BuiltIn{name}", body.result, ()), body.result)
        return
    (dimension,) = body.arguments
    if body.type != "i32":
        raise body.refuse()
    known = body.op(f"icmp ult i32 {dimension}, 3")
    which = body.op(f"select i1 {known}, i32 {dimension}, i32 0")
    value = body.call(f"__spirv_BuiltIn{name}", "i64", (_INT,), which)
    body.give(body.op(f"select i1 {known}, i64 {value}, i64 {DIMENSIONAL[name]}"), "i64")


_BARRIERS = {
    "barrier": ("__spirv_ControlBarrier", 2),
    "work_group_barrier": ("__spirv_ControlBarrier", 2),
    "sub_group_barrier": ("__spirv_ControlBarrier", 3),
    "intel_work_group_barrier_arrive": ("__spirv_ControlBarrierArriveINTEL", 2),
    "intel_work_group_barrier_wait": ("__spirv_ControlBarrierWaitINTEL", 2),
}

_SEQUENTIALLY_CONSISTENT = 0x10

_SEMANTICS = {1: 0x100, 2: 0x200, 4: 0x800}
"""The bits of memory semantics that OpenCL's flags for local, global and image memory stand for."""


@writes(*_BARRIERS)
def _barrier(body: Body) -> None:
    name, scope = _BARRIERS[body.name]
    flags = body.arguments[0]
    if llvm(body.types[0]) != "i32":
        raise body.refuse()
    semantics = str(_SEQUENTIALLY_CONSISTENT)
    for flag, bit in _SEMANTICS.items():
        present = body.op(f"and i32 {flags}, {flag}")
        scaled = body.op(f"mul i32 {present}, {bit // flag}")
        semantics = body.op(f"or i32 {semantics}, {scaled}")
    body.call(name, "void", (_INT, _INT, _INT), str(scope), str(scope), semantics)
    body.end()


@writes("mem_fence", "read_mem_fence", "write_mem_fence")
def _fence(body: Body) -> None:
    body.do('fence syncscope("workgroup") acq_rel')
    body.end()


@writes("atomic_work_item_fence")
def _ordered_fence(body: Body) -> None:
    """Writes the strongest fence, since order and scope are values."""
    body.do("fence seq_cst")
    body.end()
