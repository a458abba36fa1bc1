"""Definitions of ComputeMux's builtins: bodies in LLVM IR, which call builtins of OpenCL C and SPIR-V."""

from __future__ import annotations

import re
from collections.abc import Callable

from passes.frontends.builtins import Builtin, Callee, Effect, Lowering, Pointer, Scalar, Type, Vector
from passes.frontends.builtins.bodies.body import Body
from passes.frontends.mux.table import BuiltinKind, MuxBuiltin

INT, LONG, TRUTH = Scalar("i"), Scalar("l"), Scalar("b")
SUB_GROUP, WORK_GROUP = "3", "2"
"""The numbers of scopes in SPIR-V."""
SCALARS = {
    "i1": TRUTH,
    "i8": Scalar("c"),
    "i16": Scalar("s"),
    "i32": INT,
    "i64": LONG,
    "half": Scalar("Dh"),
    "float": Scalar("f"),
    "double": Scalar("d"),
}
"""The types of symbols by those of LLVM IR."""

MuxWriter = Callable[[Body, MuxBuiltin], None]
MUX_WRITERS: dict[BuiltinKind, MuxWriter] = {}
"""The writers of bodies by the chapters of builtins; modules beside this one enter theirs."""


def writes_kind(kind: BuiltinKind) -> Callable[[MuxWriter], MuxWriter]:
    """Enters a function as the writer of a chapter's bodies."""

    def enter(function: MuxWriter) -> MuxWriter:
        MUX_WRITERS[kind] = function
        return function

    return enter


def body_of(row: MuxBuiltin) -> Body:
    """Returns the definition of a builtin."""
    body = empty_body(row)
    MUX_WRITERS[row.kind](body, row)
    return body


def empty_body(row: MuxBuiltin) -> Body:
    """Returns the definition of a builtin before anything is written."""
    types = tuple(spelled(type) for type in row.parameters)
    about = Builtin(row.name, (len(types), len(types)), Lowering.BODY, Effect.CONVERGENT_MEMORY, row.base)
    return Body(row.name, Callee(about, types), row.result)


def spelled(type: str) -> Type:
    """Returns a type as symbols spell it."""
    if found := re.fullmatch(r"<(\d+) x (\w+)>", type):
        return Vector(int(found[1]), SCALARS[found[2]])
    if found := re.fullmatch(r"ptr(?: addrspace\((\d+)\))?", type):
        return Pointer(int(found[1] or 0), SCALARS["i8"])
    return SCALARS[type]


@writes_kind(BuiltinKind.DEVICE)
def _fact(body: Body, row: MuxBuiltin) -> None:
    """Denormal numbers are kept, mathematical functions are exact, and the profile is the full one."""
    body.give("false", "i1")


_SUB_GROUP_QUERIES = {
    "get_sub_group_id": "SubgroupId",
    "get_num_sub_groups": "NumSubgroups",
    "get_max_sub_group_size": "SubgroupMaxSize",
    "get_sub_group_size": "SubgroupSize",
    "get_sub_group_local_id": "SubgroupLocalInvocationId",
}


@writes_kind(BuiltinKind.QUERY)
def _query(body: Body, row: MuxBuiltin) -> None:
    """The functions of OpenCL C have the same names and meanings."""
    if row.base in _SUB_GROUP_QUERIES:
        body.give(body.call(f"__spirv_BuiltIn{_SUB_GROUP_QUERIES[row.base]}", "i32", ()), "i32")
        return
    types = tuple(Scalar("j") for _ in row.parameters)
    body.give(body.call(row.base, row.result, types, *body.arguments), row.result)


_ORDERS = {2: "acquire", 4: "release", 8: "acq_rel", 16: "seq_cst"}
"""The orderings of fences by the bits of memory semantics; without a bit, there is no fence."""
_ORDER_BITS = 0x1F
_WORK_ITEM = 4
"""The number of the scope that is one work-item."""


@writes_kind(BuiltinKind.BARRIER)
def _barrier(body: Body, row: MuxBuiltin) -> None:
    """Identifiers tell passes which barriers are one; the machine does not need them."""
    scope, semantics = body.arguments[-2:]
    if row.base != "mem_barrier":
        group = WORK_GROUP if row.base == "work_group_barrier" else SUB_GROUP
        body.call("__spirv_ControlBarrier", "void", (INT, INT, INT), group, scope, semantics)
        body.end()
        return
    alone = body.op(f"icmp eq i32 {scope}, {_WORK_ITEM}")
    order = body.op(f"and i32 {semantics}, {_ORDER_BITS}")
    needed = body.op(f"select i1 {alone}, i32 0, i32 {order}")
    cases = " ".join(f"i32 {bits}, label %{name}" for bits, name in _ORDERS.items())
    body.do(f"switch i32 {needed}, label %none [ {cases} ]")
    for name in _ORDERS.values():
        body.lines.append(f"{name}:")
        body.do(f"fence {name}")
        body.do("ret void")
    body.lines.append("none:")
    body.end()


@writes_kind(BuiltinKind.SHUFFLE)
def _shuffle(body: Body, row: MuxBuiltin) -> None:
    word = "".join(part.capitalize() for part in row.base.split("_"))
    types = tuple(spelled(type) for type in row.parameters)
    body.give(body.call(f"__spirv_Subgroup{word}INTEL", row.result, types, *body.arguments), row.result)
