"""Checks the attributes and metadata that ComputeMux gives functions and modules, and the arguments of barriers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations

import llvmlite.binding as llvm

from passes.frontends.mux.errors import MuxIrError, error
from passes.frontends.mux.functions import DefinedFunction, numbers
from passes.frontends.mux.table import PREFIX

_Rule = Callable[[str, DefinedFunction], str | None]
"""Returns the expectation that a value does not meet, None if it is right."""
_ORDERS = frozenset("".join(order) for order in permutations("xyz"))
_MOST_DIMENSIONS = 3


def _local_memory(value: str, function: DefinedFunction) -> str | None:
    return None if re.fullmatch(r"0*[1-9]\d*", value) else "a positive integer"


def _order(value: str, function: DefinedFunction) -> str | None:
    return None if value in _ORDERS else "an order of the letters x, y and z"


def _name(value: str, function: DefinedFunction) -> str | None:
    return None if value else "the name of a function"


_ATTRIBUTES: Mapping[str, _Rule] = {
    "mux-local-mem-usage": _local_memory,
    "mux-work-item-order": _order,
    "mux-orig-fn": _name,
    "mux-base-fn-name": _name,
}


def _group_size(content: str, function: DefinedFunction) -> str | None:
    sizes = numbers(content)
    return None if sizes and len(sizes) == _MOST_DIMENSIONS and min(sizes) > 0 else "three positive integers i32"


def _work_dimensions(content: str, function: DefinedFunction) -> str | None:
    """A dimension that is not used has one work-item."""
    found = numbers(content)
    if not found or len(found) != 1 or not 1 <= found[0] <= _MOST_DIMENSIONS:
        return "an i32 from 1 to 3"
    sizes = numbers(function.metadata.get("reqd_work_group_size", "")) or []
    used = max((place for place, size in enumerate(sizes, 1) if size > 1), default=1)
    return None if used <= found[0] else f"at least {used}, since the work-group has the size {tuple(sizes)}"


def _sub_group_size(content: str, function: DefinedFunction) -> str | None:
    found = numbers(content)
    return None if found and len(found) == 1 and found[0] > 0 else "one positive integer i32"


def _scheduling(content: str, function: DefinedFunction) -> str | None:
    """Work-items find their ids in registers here, so that no parameter has them."""
    places = numbers(content)
    if not places or len(places) not in (2, 4):
        return "two or four integers i32"
    if any(place >= function.parameters for place in places):
        return f"numbers of parameters, of which there are {function.parameters}, or -1"
    if any(place >= 0 for place in places):
        return "-1 for each, since the target passes no structures with ids, sizes or custom parameters"
    return None


_METADATA: Mapping[str, _Rule] = {
    "reqd_work_group_size": _group_size,
    "max_work_dim": _work_dimensions,
    "intel_reqd_sub_group_size": _sub_group_size,
    "mux_scheduled_fn": _scheduling,
}


def check_functions(functions: Sequence[DefinedFunction], source: str) -> None:
    """Checks the attributes and metadata of functions. Raises `MuxIrError` at the first that is wrong."""
    for function in functions:
        for name, rule in _ATTRIBUTES.items():
            if name in function.attributes:
                expected = rule(function.attributes[name], function)
                if expected is not None:
                    raise wrong(function, f'"{name}"="{function.attributes[name]}": expected {expected}', source)
        for name, rule in _METADATA.items():
            if name in function.metadata:
                expected = rule(function.metadata[name], function)
                if expected is not None:
                    raise wrong(function, f"!{name} !{{{function.metadata[name]}}}: expected {expected}", source)


def wrong(function: DefinedFunction, message: str, source: str) -> MuxIrError:
    """Returns the error that a function has something wrong, at its definition."""
    return error(f"function '{function.name}' has {message}", source, head_of(function.name))


def head_of(name: str) -> str:
    """Returns a pattern for the definition of a function."""
    return rf'^define [^\n]*@"?{re.escape(name)}"?\('


def check_calls(module: llvm.ModuleRef, source: str) -> None:
    """Checks that builtins are called with the types that they have, which LLVM does not.

    Raises:
        MuxIrError: A call has other types than the builtin.
    """
    builtins = {
        function.name: [str(type) for type in function.global_value_type.elements]
        for function in module.functions
        if function.name.startswith(PREFIX)
    }
    for function in module.functions:
        seen: Counter[str] = Counter()
        for instruction in (each for block in function.blocks for each in block.instructions):
            if instruction.opcode != "call":
                continue
            *arguments, callee = instruction.operands
            if (types := builtins.get(callee.name)) is None:
                continue
            called, place = [str(each.type) for each in (instruction, *arguments)], seen[callee.name]
            seen[callee.name] += 1
            if called != types:
                raise error(
                    f"calls '{callee.name}' as {called[0]} ({', '.join(called[1:])}): "
                    f"expected {types[0]} ({', '.join(types[1:])})",
                    source,
                    rf"^(?! *declare)[^\n;]*@{callee.name}\(",
                    place,
                    head_of(function.name),
                )


_VERSION = re.compile(r"^!opencl\.ocl\.version = !\{(.*)\}$", re.MULTILINE)
_PARAMETERS = re.compile(r"^!mux-scheduling-params = !\{(.*)\}$", re.MULTILINE)


def check_module(text: str, source: str) -> None:
    """Checks the metadata of a module; `text` is the module as LLVM prints it. Raises `MuxIrError` if it is wrong."""
    if (found := _VERSION.search(text)) is not None:
        version = [numbers(content) for content in _contents(found[1], text)]
        if not version or any(each is None or len(each) != 2 or min(each) < 0 for each in version):
            raise error("has !opencl.ocl.version: expected !{i32 major, i32 minor}", source, r"^!opencl\.ocl\.version")
    if (found := _PARAMETERS.search(text)) is not None:
        for content in _contents(found[1], text):
            if not re.fullmatch(r'(!"[^"]*"(, )?)*', content):
                raise error("has !mux-scheduling-params: expected strings", source, r"^!mux-scheduling-params")


def _contents(nodes: str, text: str) -> list[str]:
    """Returns the contents of nodes that a named one lists."""
    found = [re.search(rf"^{node} = !\{{(.*)\}}$", text, re.MULTILINE) for node in re.findall(r"!\d+", nodes)]
    return [each[1] for each in found if each is not None]


_BARRIER = re.compile(r"@__mux_(?:mem|work_group|sub_group)_barrier\((?P<arguments>[^()\n]*)\)")
_NUMBER = re.compile(r"i32 (?:\w+ )*(-?\d+)")
_LAST_SCOPE = 4
_ORDERINGS = frozenset((0x0, 0x2, 0x4, 0x8, 0x10))
_ORDERING_BITS = 0x1F
_MEMORY_BITS = 0x80 | 0x100 | 0x200


def check_barriers(source: str) -> None:
    """Checks the constant scopes and semantics of barriers. Raises `MuxIrError` where one is wrong."""
    for call in _BARRIER.finditer(source):
        *_, scope, semantics = (_NUMBER.fullmatch(part.strip()) for part in ("", *call["arguments"].split(",")))
        line = source.count("\n", 0, call.start()) + 1
        if scope is not None and not 0 <= int(scope[1]) <= _LAST_SCOPE:
            raise MuxIrError(f"calls a barrier with scope {scope[1]}: expected 0 to {_LAST_SCOPE}", line)
        given = 0 if semantics is None else int(semantics[1])
        if given & ~(_ORDERING_BITS | _MEMORY_BITS):
            raise MuxIrError(
                f"calls a barrier with semantics {given:#x}: beside the ordering, expected 0x80 (memory of subgroups), "
                "0x100 (of work-groups) and 0x200 (across work-groups)",
                line,
            )
        if given & _ORDERING_BITS not in _ORDERINGS:
            raise MuxIrError(
                f"calls a barrier with semantics {given:#x}: expected one ordering of 0x0 (relaxed), "
                "0x2 (acquire), 0x4 (release), 0x8 (acquire and release) and 0x10 (sequentially consistent)",
                line,
            )
