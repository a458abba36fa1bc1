"""Declarations of the functions of Level Zero, by the decorator `@api` above each of them.

The function table, the names in `runtime.ze` and `runtime.zes`, the look-up by name, `docs/level-zero.md`, validation,
tracing and the tests follow from the declarations; a new function is written in the module of its chapter and nowhere
else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from enum import Enum, IntFlag
from typing import ParamSpec, TypeVar

from runtime.ze import dispatch
from runtime.ze.conversion import converting
from runtime.ze.driver.handle import known_flags
from runtime.ze.forms import CallForms, choosing
from runtime.ze.spec.results import ze_result_t
from xegpu.on_demand import dataclass

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")

Implementation = Callable[..., object]


class ApiChapters(Enum):
    """Chapters of the specification's reference of one API, in its order."""


class Chapter(ApiChapters):
    """Chapters of the reference of the core API."""

    DRIVER = "Driver"
    DEVICE = "Device"
    CONTEXT = "Context"
    COMMAND_QUEUE = "Command Queue"
    COMMAND_LIST = "Command List"
    BARRIER = "Barrier"
    COPY = "Memory Copies and Hints"
    EVENT = "Event"
    FENCE = "Fence"
    IMAGE = "Image"
    SAMPLER = "Sampler"
    MEMORY = "Memory"
    VIRTUAL_MEMORY = "Virtual Memory"
    RESIDENCY = "Residency"
    MODULE = "Module"
    KERNEL = "Kernel"
    LAUNCH = "Kernel Launch"


@dataclass(frozen=True)
class ArgumentRule:
    """A rule for the value of an argument: the result of a call that breaks it, and the text of the report."""

    holds: Callable[[object], bool]
    result: ze_result_t
    text: str


def _number_rule(holds: Callable[[int], bool], result: ze_result_t, text: str) -> ArgumentRule:
    """A rule for integers, which holds for any value that is none: the driver refuses those."""
    return ArgumentRule(lambda value: not isinstance(value, int) or holds(value), result, text)


POWER_OF_TWO = _number_rule(
    lambda value: value >= 0 and value & (value - 1) == 0,
    ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT,
    "{} is not a power of two",
)
SOME_BYTES = _number_rule(lambda value: value > 0, ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "{} is not a size")
AT_LEAST_ONE = _number_rule(
    lambda value: value > 0, ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, "{} is less than the minimum of 1"
)
FIRST_MEMORY = _number_rule(
    lambda value: value == 0,
    ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION,
    "memory {} of a device with one memory",
)
NOT_EMPTY = ArgumentRule(
    lambda value: not isinstance(value, Sequence) or len(value) > 0,
    ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE,
    "is empty",
)


def flags_of(kind: type[IntFlag]) -> ArgumentRule:
    """Returns the rule for an argument that consists of flags of a kind."""
    unknown = ~int(known_flags(-1, kind))
    return _number_rule(
        lambda value: not value & unknown,
        ze_result_t.ZE_RESULT_ERROR_INVALID_ENUMERATION,
        f"{{}} has bits outside {kind.__name__}",
    )


@dataclass(frozen=True)
class MemoryUse:
    """The bytes that a call uses at the address in one of its arguments.

    There are `bytes` of them, times the number in the argument `count`, or its items where that is an array.
    """

    argument: str
    bytes: int
    count: str | None


@dataclass(frozen=True)
class Function:
    """One function of the API, as its declaration has it.

    Attributes:
        name: Its name in 1.x, or the older one if 1.x dropped it.
        chapter: The chapter of the specification that describes it.
        implementation: The function of the driver, which no layer sees.
        results: The results that a call may have besides success.
        pointers: The parameters, besides handles, that must not be null.
        seed: Its name in specification 0.91; None if that has no such function.
        seed_implementation: The function of the driver under that name, with the parameters of specification 0.91.
        since: The version, major and minor, that has the function first.
        note: A remark for readers of the documentation.
        inexpressible: Results of the specification that no call from Python can cause, and why.
        memory: The arguments that are addresses, for the validation layer.
        rules: Rules for arguments or their members (`desc.count`), for the validation layer.
        validated: The results for what the driver takes and the validation layer reports.
    """

    name: str
    chapter: ApiChapters
    implementation: Implementation
    results: tuple[ze_result_t, ...]
    pointers: tuple[str, ...] = ()
    seed: str | None = None
    seed_implementation: Implementation | None = None
    since: tuple[int, int] = (1, 0)
    note: str = ""
    inexpressible: str = ""
    memory: tuple[MemoryUse, ...] = ()
    rules: Mapping[str, ArgumentRule] = field(default_factory=dict)
    validated: tuple[ze_result_t, ...] = ()

    @property
    def callables(self) -> dict[str, Implementation]:
        """The functions of the driver under their names in 1.x and in 0.91."""
        found = {self.name: self.implementation}
        if self.seed is not None and self.seed_implementation is not None:
            found.setdefault(self.seed, self.seed_implementation)
        return found


SAME = "="
"""Stands for the function's own name where the name of specification 0.91 is asked for."""

_ALWAYS = ("INVALID_NULL_HANDLE", "INVALID_ARGUMENT")
"""The results of every function that takes a handle: for null, and for one that is destroyed or of another kind."""

_HANDLE = re.compile(r"p?h[A-Z]\w*")
_MEMORY = re.compile(r"(\w+)\[(\d+)?\*?(\D\w*)?\]")

_declared: dict[str, Function] = {}


def api(
    chapter: ApiChapters,
    results: str = "",
    *,
    pointers: str = "",
    seed: str | None = SAME,
    since: tuple[int, int] = (1, 0),
    note: str = "",
    inexpressible: str = "",
    memory: str = "",
    rules: Mapping[str, ArgumentRule] | None = None,
    validated: str = "",
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Declares a function of the API and replaces it by its entry in the dispatch table.

    Args:
        chapter: The chapter of the specification that describes the function.
        results: The results besides success, separated by blanks, without `ZE_RESULT_` and `ERROR_`. Those for handles
            and for `pointers` follow from the parameters.
        pointers: The parameters, besides handles, that must not be null, separated by blanks.
        seed: The name in specification 0.91: `SAME`, another one, or None. A function that is newer than 1.0 has none.
        since: The version, major and minor, that has the function first.
        note: A remark for readers of the documentation.
        inexpressible: Results of the specification that no call from Python can cause, and why.
        memory: The arguments that are addresses and the bytes used there: `dstptr[size]`, `dstptr[32*phEvents]` (32 for
            each item), `dstptr[8]`; `dstptr[1]` where the driver works the size out.
        rules: Rules for arguments or their members (`desc.count`).
        validated: The results for what the driver takes and the validation layer reports.
    """

    def declare(function: Callable[P, R]) -> Callable[P, R]:
        implementation = converting(function, pointers.split())
        name = implementation.__name__
        names = results.split()
        if any(map(_HANDLE.fullmatch, function.__annotations__)):
            names = [*_ALWAYS, *(result for result in names if result not in _ALWAYS)]
        if pointers:
            names.append("INVALID_NULL_POINTER")
        seed_name = (name if since <= (1, 0) else None) if seed == SAME else seed
        _declared[name] = Function(
            name,
            chapter,
            implementation,
            tuple(map(_result, names)),
            tuple(pointers.split()),
            seed_name,
            implementation if seed_name == name else None,
            since,
            note,
            inexpressible,
            tuple(map(_memory_use, memory.split())),
            rules or {},
            tuple(map(_result, validated.split())),
        )
        return dispatch.entry(name, implementation)

    return declare


def seed_form(function: Callable[..., object]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Declares 0.91's function in place of `function`, with other parameters, and replaces it by its entry."""

    def declare(implementation: Callable[P, R]) -> Callable[P, R]:
        return _seed_entry(function.__name__, converting(implementation, _declared[function.__name__].pointers))

    return declare


def older_form(function: Callable[P, R]) -> Callable[[Callable[Q, R]], CallForms[P, Q, R]]:
    """Declares 0.91's function of the same name, with other parameters, beside `function`.

    The older function calls `function`, so layers see the calls of 1.x.
    """
    name = function.__name__

    def declare(implementation: Callable[Q, R]) -> CallForms[P, Q, R]:
        pointers = [pointer for pointer in _declared[name].pointers if pointer in implementation.__annotations__]
        older = converting(implementation, pointers)
        call = choosing(function, older)
        _declared[name] = replace(_declared[name], seed_implementation=older)
        dispatch.replace_entry(name, call)
        return call

    return declare


def seed_name(function: Callable[P, R]) -> Callable[P, R]:
    """Returns the entry for a function under its name in 0.91."""
    return _seed_entry(function.__name__, dispatch.direct(function))


def _seed_entry(name: str, implementation: Callable[P, R]) -> Callable[P, R]:
    declared = _declared[name]
    assert declared.seed is not None, f"{name} is not in specification 0.91"
    _declared[name] = replace(declared, seed_implementation=implementation)
    return dispatch.entry(declared.seed, implementation)


def declared() -> Mapping[str, Function]:
    """Returns the functions of all APIs whose packages are imported, by name."""
    return _declared


def functions(chapters: type[ApiChapters] = Chapter) -> Mapping[str, Function]:
    """Returns the functions of an API by name: its chapters in order, in each the order of its module.

    They are there once the package of the API is imported: `runtime.ze` of the core API, `runtime.zes` of system
    management.
    """
    order = {chapter: number for number, chapter in enumerate(chapters)}
    found = (function for function in _declared.values() if function.chapter in order)
    return {function.name: function for function in sorted(found, key=lambda function: order[function.chapter])}


def callables(chapters: type[ApiChapters] = Chapter) -> Mapping[str, Implementation]:
    """Returns the functions of the driver by their names in 1.x and in 0.91."""
    return {name: found for function in functions(chapters).values() for name, found in function.callables.items()}


def function_called(name: str) -> Function:
    """Returns the function with a name of 1.x or of 0.91."""
    if name in _declared:
        return _declared[name]
    return next(function for function in _declared.values() if function.seed == name)


def _result(name: str) -> ze_result_t:
    members = ze_result_t.__members__
    prefixes = ("ZE_RESULT_ERROR_", "ZE_RESULT_EXP_ERROR_", "ZE_RESULT_")
    return next(members[prefix + name] for prefix in prefixes if prefix + name in members)


def _memory_use(text: str) -> MemoryUse:
    match = _MEMORY.fullmatch(text)
    assert match is not None, f"{text}, expected argument[bytes*count]"
    return MemoryUse(match[1], int(match[2] or 1), match[3])
