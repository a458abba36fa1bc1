"""Conversion of a call's arguments to the types that the function declares.

C converts arguments to the types of parameters and of members of structures; here the annotations of a function state
the types, and every call of the driver converts by them. Behind the conversion an integer is an `int`, whatever kind of
integer the caller has (numpy's, an enumerator), a string a `str`, an array a `list`, and a structure has members of its
types. A value that cannot be converted ends the call with `INVALID_ARGUMENT`, so no function has to deal with it.
"""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import wraps
from typing import ParamSpec, TypeVar, cast

from runtime.concurrency import lazy
from runtime.ze.driver.handle import Handle, byte_string, integer, items, truth
from runtime.ze.driver.memory.operands import Operand, operand
from runtime.ze.spec import extensions, structs
from runtime.ze.spec.results import ZeError, ze_result_t

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")

Conversion = Callable[[object, str], object]
"""Returns a value as the type that is declared, and the same object if it is of the type; takes the value's name.

Raises `ZeError` with `INVALID_ARGUMENT`.
"""

STRUCTURES: set[type] = set()
"""The structures of the APIs."""


def declare_structures(*modules: types.ModuleType) -> None:
    """Adds the structures of some modules, before functions that take them are declared."""
    for module in modules:
        declared = (kind for kind in vars(module).values() if isinstance(kind, type))
        STRUCTURES.update(
            kind for kind in declared if kind.__module__ == module.__name__ and not issubclass(kind, Enum | bytes)
        )


declare_structures(structs, extensions)


def _wrong(value: object, name: str, expected: str) -> ZeError:
    return ZeError(
        ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} is a {type(value).__name__}, expected {expected}"
    )


def _integer(value: object, name: str) -> object:
    return value if type(value) is int else integer(value, name)


def _number(value: object, name: str) -> object:
    if isinstance(value, float):
        return float(value)
    try:
        return float(integer(value, name, "a number"))
    except OverflowError:
        raise _wrong(value, name, "a number of double precision") from None


def _truth(value: object, name: str) -> object:
    return value if type(value) is bool else truth(value, name)


def _string(value: object, name: str) -> object:
    if isinstance(value, str):
        return value
    raise _wrong(value, name, "a str")


def _bytes(value: object, name: str) -> object:
    return value if type(value) is bytes else byte_string(value, name)


def _operand(value: object, name: str) -> object:
    return value if type(value) is int else operand(value, name)


def _kind(value: object, name: str) -> object:
    if isinstance(value, type):
        return value
    raise _wrong(value, name, "the class of a structure")


def _array_of(convert: Conversion | None) -> Conversion:
    def array(value: object, name: str) -> object:
        found = items(cast("Iterable[object]", value), name)
        return found if convert is None else [convert(item, f"{name}[{index}]") for index, item in enumerate(found)]

    return array


def _chain(value: object, name: str) -> object:
    """Returns the structures that `pNext` leads to: one, each with its own `pNext`, or several."""
    found: list[object] = []
    waiting = list(value) if isinstance(value, Sequence) and not isinstance(value, str | bytes) else [value]
    while waiting:
        structure = waiting.pop(0)
        if type(structure) not in STRUCTURES:
            raise _wrong(structure, name, "a structure of the API")
        if len(found) == len(STRUCTURES):
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} is a chain that does not end")
        found.append(_convert_members(structure, name))
        following = getattr(structure, "pNext", None)
        if following is not None:
            waiting.append(following)
    return tuple(found)


_members: dict[type, list[tuple[str, Conversion]]] = {}
"""The members of each structure that are converted; `pNext` is followed from the structure that begins the chain."""


def _members_of(kind: type) -> list[tuple[str, Conversion]]:
    known = _members.get(kind)
    if known is None:
        hints = typing.get_type_hints(kind)
        names = [field.name for field in dataclasses.fields(kind) if field.name != "pNext"]
        known = [(name, convert) for name in names if (convert := conversion_to(hints[name])) is not None]
        _members[kind] = known
    return known


def _convert_members(structure: object, name: str) -> object:
    """Returns a structure with its members converted, and its `pNext` as it is."""
    changed = {}
    for member, convert in _members_of(type(structure)):
        old = getattr(structure, member)
        if type(old) is not int or convert is not _integer:
            new = convert(old, f"{name}.{member}")
            if new is not old:
                changed[member] = new
    if not changed:
        return structure
    assert dataclasses.is_dataclass(structure) and not isinstance(structure, type)
    return dataclasses.replace(structure, **changed)


def own(answer: object) -> object:
    """Returns an answer of the driver with structures that are the application's own: it may assign to members."""
    if isinstance(answer, list):
        return [own(item) for item in answer]
    if isinstance(answer, tuple) and type(answer) is tuple:
        return tuple(own(item) for item in answer)
    if type(answer) not in STRUCTURES or not hasattr(answer, "__dict__"):
        return answer
    found: object = object.__new__(type(answer))
    found.__dict__.update((name, own(value)) for name, value in vars(answer).items())
    return found


def _structure(kind: type) -> Conversion:
    """Returns the conversion to a structure, whose `pNext` becomes the tuple of all structures that it leads to.

    Descriptors are copied: the driver may keep them, and the application may assign to members of its own.
    """
    copied = issubclass(kind, structs.Descriptor)

    def structure(value: object, name: str) -> object:
        if not isinstance(value, kind):
            raise _wrong(value, name, kind.__name__)
        found = _convert_members(value, name)
        if copied and found is value:
            found = object.__new__(type(value))
            found.__dict__.update(vars(value))
        following = getattr(found, "pNext", None)
        if following is None:
            return found
        assert dataclasses.is_dataclass(found) and not isinstance(found, type)
        return dataclasses.replace(found, pNext=_chain(following, f"{name}.pNext"))

    return structure


def _or_none(convert: Conversion) -> Conversion:
    return lambda value, name: None if value is None else convert(value, name)


def chained(pNext: object, kind: type[S]) -> S | None:
    """Returns the first structure of a class in a `pNext` that is converted; None if there is none."""
    found = pNext if isinstance(pNext, tuple) else ()
    return next((structure for structure in found if isinstance(structure, kind)), None)


_PLAIN: Mapping[object, Conversion] = {
    int: _integer,
    float: _number,
    bool: _truth,
    str: _string,
    bytes: _bytes,
    type: _kind,
}


def conversion_to(hint: object) -> Conversion | None:
    """Returns the conversion to an annotated type; None for those that functions look at themselves: handles, arguments
    of kernels, objects of any type.
    """
    if hint == Operand:
        return _operand
    if isinstance(hint, types.UnionType):
        others = [kind for kind in typing.get_args(hint) if kind is not types.NoneType]
        convert = conversion_to(others[0]) if len(others) == 1 else None
        return None if convert is None else _or_none(convert)
    if typing.get_origin(hint) is Sequence:
        return _array_of(conversion_to(typing.get_args(hint)[0]))
    if typing.get_origin(hint) is tuple:
        array = _array_of(conversion_to(typing.get_args(hint)[0]))
        return lambda value, name: tuple(cast("list[object]", array(value, name)))
    if isinstance(hint, type) and hint in STRUCTURES:
        return _structure(hint)
    return _PLAIN.get(hint)


def _has_structures(hint: object) -> bool:
    """Returns whether a type is a structure that can be assigned to, or has such items."""
    if isinstance(hint, type) and hint in STRUCTURES:
        return not hasattr(hint, "__slots__")
    return any(map(_has_structures, typing.get_args(hint)))


class Arguments:
    """The conversions of a function's arguments.

    A null pointer stays null, and a call with a handle that is null, stale or of another kind is not converted: the
    function refuses it, with the result that the specification has for that.
    """

    def __init__(self, function: Callable[..., object], pointers: Sequence[str]) -> None:
        self._function = function
        self._pointers = pointers

    @lazy
    def answers_structures(self) -> bool:
        """True if the function returns structures."""
        return _has_structures(typing.get_type_hints(self._function).get("return"))

    @lazy
    def names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(inspect.signature(self._function).parameters)

    @lazy
    def _declared(self) -> tuple[list[tuple[int, str, type[Handle]]], list[tuple[int, str, Conversion]]]:
        """The positions and names of handles, with their classes, and of what is converted, with the conversions.

        The annotations are looked at when the function is called first: a program calls few of the functions.
        """
        hints = typing.get_type_hints(self._function)
        handles: list[tuple[int, str, type[Handle]]] = []
        conversions: list[tuple[int, str, Conversion]] = []
        for position, name in enumerate(self.names):
            hint = hints[name]
            convert = _or_none(_chain) if name == "pNext" and hint is object else conversion_to(hint)
            if isinstance(hint, type) and issubclass(hint, Handle):
                handles.append((position, name, hint))
            elif convert is not None:
                conversions.append((position, name, _or_none(convert) if name in self._pointers else convert))
        return handles, conversions

    def convert(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> dict[str, object]:
        """Returns the arguments that change, by name; raises `ZeError` for a value of a wrong type."""
        handles, conversions = self._declared
        changed: dict[str, object] = {}
        if not conversions:
            return changed
        count = len(args)
        for position, name, kind in handles:
            value = args[position] if position < count else kwargs.get(name)
            if not isinstance(value, kind) or not value.alive:
                return {}
        for position, name, convert in conversions:
            if position < count:
                value = args[position]
            elif name in kwargs:
                value = kwargs[name]
            else:
                continue
            new = convert(value, name)
            if new is not value:
                changed[name] = new
        return changed


def converting(function: Callable[P, R], pointers: Sequence[str] = ()) -> Callable[P, R]:
    """Returns `function` with arguments converted to the types that it declares.

    Args:
        function: A function of the driver.
        pointers: Its parameters, besides handles, that the specification says must not be null: None stays None.
    """
    arguments = Arguments(function, pointers)
    plain: Callable[..., R] = function

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        changed = arguments.convert(args, kwargs)
        if changed:
            answer = plain(**{**dict(zip(arguments.names, args, strict=False)), **kwargs, **changed})
        else:
            answer = function(*args, **kwargs)
        return cast(R, own(answer)) if arguments.answers_structures else answer

    return call
