"""Definitions of collective operations of groups: votes, broadcasts, reductions and scans."""

from __future__ import annotations

from passes.frontends.builtins import Vector
from passes.frontends.builtins.bodies.body import Body, number
from passes.frontends.mux.bodies import INT, LONG, SCALARS, SUB_GROUP, WORK_GROUP, writes_kind
from passes.frontends.mux.table import LOGICAL_OPERATIONS, BuiltinKind, MuxBuiltin, element_of, length_of

_SPIRV = {
    "add": "IAdd",
    "fadd": "FAdd",
    "mul": "IMulKHR",
    "fmul": "FMulKHR",
    "smin": "SMin",
    "umin": "UMin",
    "fmin": "FMin",
    "smax": "SMax",
    "umax": "UMax",
    "fmax": "FMax",
    "and": "BitwiseAndKHR",
    "or": "BitwiseOrKHR",
    "xor": "BitwiseXorKHR",
    "logical_and": "LogicalAndKHR",
    "logical_or": "LogicalOrKHR",
    "logical_xor": "LogicalXorKHR",
}
_FORMS = {"reduce": "0", "scan_inclusive": "1", "scan_exclusive": "2"}
"""The numbers of group operations in SPIR-V."""
_INTRINSICS = {"fmin": "minnum", "fmax": "maxnum", **{name: name for name in ("smin", "smax", "umin", "umax")}}


@writes_kind(BuiltinKind.GROUP)
def _group(body: Body, row: MuxBuiltin) -> None:
    if row.scope == "vec":
        _vec_group(body, row)
        return
    scope = SUB_GROUP if row.scope == "sub" else WORK_GROUP
    values = body.arguments[1:] if row.scope == "work" else body.arguments
    if row.base in ("any", "all"):
        vote(body, row, scope, values[0])
    elif row.base == "broadcast":
        _broadcast(body, row, scope, values)
    else:
        combination(body, row, scope, values[0])


def vote(body: Body, row: MuxBuiltin, scope: str, value: str) -> None:
    """Writes whether a predicate holds in any or all of a group."""
    name = f"__spirv_Group{row.base.capitalize()}"
    body.give(body.call(name, "i1", (INT, SCALARS["i1"]), scope, value), "i1")


def _broadcast(body: Body, row: MuxBuiltin, scope: str, values: list[str]) -> None:
    value, *place = values
    type = SCALARS[row.result]
    if row.scope == "sub":
        found = body.call("__spirv_GroupBroadcast", row.result, (INT, type, INT), scope, value, *place)
    else:
        ids = "poison"
        for index, part in enumerate(place):
            ids = body.op(f"insertelement <3 x i64> {ids}, i64 {part}, i32 {index}")
        found = body.call("__spirv_GroupBroadcast", row.result, (INT, type, Vector(3, LONG)), scope, value, ids)
    body.give(found, row.result)


def combination(body: Body, row: MuxBuiltin, scope: str, value: str) -> None:
    """Writes a reduction or a scan. Logical operations work on truth values, which integers become."""
    name, form = f"__spirv_Group{_SPIRV[row.base]}", _FORMS[row.form]
    type = "i1" if row.base in LOGICAL_OPERATIONS else row.result
    if type != row.result:
        value = body.op(f"icmp ne {row.result} {value}, 0")
    found = body.call(name, type, (INT, INT, SCALARS[type]), scope, form, value)
    if type != row.result:
        found = body.op(f"zext i1 {found} to {row.result}")
    body.give(found, row.result)


def _vec_group(body: Body, row: MuxBuiltin) -> None:
    """The invocations of a vec-group are the components of a vector, or one."""
    value, type = body.arguments[0], row.parameters[0]
    scalar, count = element_of(type), length_of(type)
    if row.base == "broadcast":
        body.give(
            value if type == scalar else body.op(f"extractelement {type} {value}, i32 {body.arguments[1]}"), scalar
        )
        return
    parts = [value]
    if type != scalar:
        parts = [body.op(f"extractelement {type} {value}, i32 {place}") for place in range(count)]
    base = {"any": "or", "all": "and"}.get(row.base, row.base)
    logical = base in LOGICAL_OPERATIONS and scalar != "i1"
    if logical:
        parts = [body.op(f"icmp ne {scalar} {part}, 0") for part in parts]
    operand = "i1" if logical else scalar
    start = number(SCALARS[operand], identity(base, operand))
    running = [start]
    for part in parts:
        running.append(part if len(running) == 1 else _combined(body, base, operand, running[-1], part))
    if logical:
        running = [body.op(f"zext i1 {part} to {scalar}") for part in running]
    if not row.form.startswith("scan"):
        body.give(running[-1], scalar)
        return
    scanned = running[1:] if row.form == "scan_inclusive" else running[:-1]
    if type == scalar:
        body.give(scanned[0], scalar)
        return
    result = "poison"
    for place, part in enumerate(scanned):
        result = body.op(f"insertelement {type} {result}, {scalar} {part}, i32 {place}")
    body.give(result, type)


def _combined(body: Body, operation: str, type: str, a: str, b: str) -> str:
    """Returns two values combined."""
    if operation in _INTRINSICS:
        return body.intrinsic(_INTRINSICS[operation], type, a, b)
    return body.op(f"{operation.removeprefix('logical_')} {type} {a}, {b}")


def identity(operation: str, type: str) -> float | int:
    """Returns the identity element of an operation."""
    if type in ("half", "float", "double"):
        infinity = float("inf")
        return {"fadd": -0.0, "fmul": 1.0, "fmin": infinity}.get(operation, -infinity)
    most = (1 << int(type[1:]) - 1) - 1
    return {"mul": 1, "smin": most, "smax": -most - 1, "umin": -1, "and": -1, "logical_and": -1}.get(operation, 0)
