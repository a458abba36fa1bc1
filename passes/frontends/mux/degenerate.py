"""Kernels whose sub-group is the whole work-group: their sub-group operations become operations of the work-group."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from passes.frontends.builtins import Scalar
from passes.frontends.builtins.bodies.body import Body
from passes.frontends.mux.bodies import INT, WORK_GROUP, empty_body
from passes.frontends.mux.checks import head_of, wrong
from passes.frontends.mux.functions import DefinedFunction
from passes.frontends.mux.groups import combination, vote
from passes.frontends.mux.table import PREFIX, BuiltinKind, MuxBuiltin, find
from passes.frontends.optimisation import inlined

_DEGENERATE, _UNUSED = "mux-degenerate-subgroups", "mux-no-subgroups"
_SUFFIX = "_of_work_group"
_CALL = re.compile(rf"@({PREFIX}\w*sub_group\w*)\(")
_MOST_WORK_ITEMS = 1024
_EXCHANGE = "mux_exchange"


def check_sub_groups(functions: Sequence[DefinedFunction], text: str, source: str) -> None:
    """Checks that functions which say so use no sub-groups. Raises `MuxIrError` if one does."""
    for function in functions:
        if _UNUSED in function.attributes and (call := _CALL.search(_definition(text, function.name))) is not None:
            raise wrong(function, f'the attribute "{_UNUSED}" and calls {call[1]}', source)


def with_degenerate_sub_groups(text: str, functions: Iterable[DefinedFunction]) -> str:
    """Returns a module in which kernels with the attribute call builtins that take the work-group as a sub-group.

    Kernels contain what they call then, since the attribute of a kernel is about all of that.
    """
    names = [function.name for function in functions if _DEGENERATE in function.attributes]
    if not names:
        return text
    text = inlined(text)
    called: set[str] = set()

    def of_work_group(call: re.Match[str]) -> str:
        if find(call[1]) is None:
            return call[0]
        called.add(call[1])
        return f"@{call[1]}{_SUFFIX}("

    for name in names:
        before = _definition(text, name)
        text = text.replace(before, _CALL.sub(of_work_group, before))
    declared = {f"{name}{_SUFFIX}": row for name in sorted(called) if (row := find(name)) is not None}
    return "\n".join([text, *(replace(row, name=name).declaration for name, row in declared.items())])


def _definition(text: str, name: str) -> str:
    """Returns a function as it stands in the text of a module; nothing if it is not there."""
    found = re.search(rf"{head_of(name)}.*?^}}$", text, re.MULTILINE | re.DOTALL)
    return "" if found is None else found[0]


def degenerate_body(name: str) -> Body | None:
    """Returns the definition of a builtin that takes the work-group as a sub-group, or `None` for other names."""
    row = find(name.removesuffix(_SUFFIX)) if name.endswith(_SUFFIX) else None
    if row is None:
        return None
    row = replace(row, name=name)
    body = empty_body(row)
    _write(body, row)
    return body


def _write(body: Body, row: MuxBuiltin) -> None:
    match row.kind, row.base:
        case BuiltinKind.QUERY, "get_sub_group_id":
            body.give("0", "i32")
        case BuiltinKind.QUERY, "get_num_sub_groups":
            body.give("1", "i32")
        case BuiltinKind.QUERY, "get_sub_group_local_id":
            body.give(body.op(f"trunc i64 {_number(body)} to i32"), "i32")
        case BuiltinKind.QUERY, _:
            body.give(_size(body), "i32")
        case BuiltinKind.BARRIER, _:
            body.call("__spirv_ControlBarrier", "void", (INT, INT, INT), WORK_GROUP, *body.arguments[1:])
            body.end()
        case _, "any" | "all":
            vote(body, row, WORK_GROUP, body.arguments[0])
        case _, "broadcast" | "shuffle":
            body.give(_exchanged(body, row.result, *body.arguments), row.result)
        case _, "shuffle_xor":
            value, mask = body.arguments
            number = body.op(f"trunc i64 {_number(body)} to i32")
            body.give(_exchanged(body, row.result, value, body.op(f"xor i32 {number}, {mask}")), row.result)
        case _, "shuffle_up" | "shuffle_down":
            _shift(body, row)
        case _:
            combination(body, row, WORK_GROUP, body.arguments[0])


def _shift(body: Body, row: MuxBuiltin) -> None:
    """Two values of all work-items lie behind one another; each looks a distance further up or down in them."""
    a, b, distance = body.arguments
    number, size = body.op(f"trunc i64 {_number(body)} to i32"), _size(body)
    up = row.base == "shuffle_up"
    place = body.op(f"{'sub' if up else 'add'} i32 {number}, {distance}")
    outside = body.op(f"icmp {'slt' if up else 'uge'} i32 {place}, {'0' if up else size}")
    wrapped = body.op(f"{'add' if up else 'sub'} i32 {place}, {size}")
    index = body.op(f"select i1 {outside}, i32 {wrapped}, i32 {place}")
    lower, upper = (_exchanged(body, row.result, value, index) for value in (a, b))
    first, second = (lower, upper) if up else (upper, lower)
    body.give(body.op(f"select i1 {outside}, {row.result} {first}, {row.result} {second}"), row.result)


def _exchanged(body: Body, type: str, value: str, index: str) -> str:
    """Returns the value of the work-item with a number, through work-group memory; 0 has that of all others."""
    kept = "i8" if type == "i1" else type
    if kept != type:
        value = body.op(f"zext {type} {value} to {kept}")
    body.variables[_EXCHANGE] = f"@{_EXCHANGE} = internal addrspace(3) global [{_MOST_WORK_ITEMS} x i64] undef, align 8"
    own = body.op(f"getelementptr {kept}, ptr addrspace(3) @{_EXCHANGE}, i64 {_number(body)}")
    body.do(f"store {kept} {value}, ptr addrspace(3) {own}")
    _barrier(body)
    exists = body.op(f"icmp ult i32 {index}, {_size(body)}")
    chosen = body.op(f"select i1 {exists}, i32 {index}, i32 0")
    place = body.op(f"getelementptr {kept}, ptr addrspace(3) @{_EXCHANGE}, i32 {chosen}")
    found = body.op(f"load {kept}, ptr addrspace(3) {place}")
    _barrier(body)
    return found if kept == type else body.op(f"trunc {kept} {found} to {type}")


def _barrier(body: Body) -> None:
    """Orders local memory, too: 0x110 are the semantics of a sequentially consistent order of work-group memory."""
    body.call("__spirv_ControlBarrier", "void", (INT, INT, INT), WORK_GROUP, WORK_GROUP, str(0x110))


def _number(body: Body) -> str:
    return body.call("get_local_linear_id", "i64", ())


def _size(body: Body) -> str:
    sizes = [body.call("get_local_size", "i64", (Scalar("j"),), str(dimension)) for dimension in range(3)]
    plane = body.op(f"mul i64 {sizes[0]}, {sizes[1]}")
    return body.op(f"trunc i64 {body.op(f'mul i64 {plane}, {sizes[2]}')} to i32")
