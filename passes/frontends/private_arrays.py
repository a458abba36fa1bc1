"""Keeps small private arrays in registers, in LLVM IR: an element at an index computed at run time is selected.

LLVM makes values of the elements of an array if all of its accesses name the element. So a load at an index becomes
loads of all elements and a tree of selections by the bits of the index; a store becomes a selection for each element.
Arrays of more elements, or with many such accesses, stay in memory, which then takes fewer instructions.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MOST_ELEMENTS = 8
MOST_ACCESSES = 32

_NAME = r'%(?:"[^"]*"|[\w.$-]+)'
_ARRAY = re.compile(rf"  ({_NAME}) = alloca \[(\d+) x (i8|i16|i32|i64|half|float|double)\], align \d+.*")
_ELEMENT = re.compile(
    rf"  ({_NAME}) = getelementptr (?:(?:inbounds|nuw|nusw) )*(\w+), ptr ({_NAME}), (i\d+) ([^,]+)(.*)"
)
_LOAD = re.compile(rf"  ({_NAME}) = load (\w+), ptr ({_NAME})(, .*)?")
_STORE = re.compile(rf"  store (\w+) ([^,]+), ptr ({_NAME})(, .*)?")
_MARK = re.compile(
    r"  call void @llvm\.(?:lifetime\.(?:start|end)\.[^(]*|mem(?:cpy|set)\.[^(]*(?=.*i1 false\)))"
    rf"\((?:i64 \d+, )?ptr (?:[\w()]+ )*({_NAME})\W.*"
)
"""Calls that LLVM splits into parts for the elements: those about lifetimes, and copies and fills of the array."""
_USED = re.compile(_NAME)
_DEBUG = re.compile(r", !dbg !\d+")


def has_arrays(text: str) -> bool:
    """Returns whether a module has arrays in private memory, and no values with names that selections get."""
    return " = alloca [" in text and '%"element ' not in text


def select_elements(text: str) -> str:
    """Returns a module in which small arrays are only accessed at constant indices.

    It is the text of a module that LLVM has simplified, with an instruction a line.
    """
    return re.sub(r"^define .*?^\}$", lambda found: _in_function(found[0]), text, flags=re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class _Array:
    name: str
    count: int
    type: str


@dataclass(frozen=True)
class _Place:
    """An element of an array, at an index that is a number or a value."""

    array: _Array
    index_type: str
    index: str


def _in_function(text: str) -> str:
    lines = text.split("\n")
    uses: dict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(lines):
        for name in _USED.findall(line):
            uses[name].append(number)
    changed: dict[int, list[str]] = {}
    fresh = 0
    for found in filter(None, map(_ARRAY.fullmatch, lines)):
        array = _Array(found[1], int(found[2]), found[3])
        places = _places(lines, uses, array) if 1 < array.count <= MOST_ELEMENTS else None
        for number, place in (places or {}).items():
            fresh += 1
            changed[number] = [] if place is None else list(_selected(lines[number], place, fresh))
    return "\n".join(line for number, old in enumerate(lines) for line in changed.get(number, [old]))


def _places(lines: Sequence[str], uses: dict[str, list[int]], array: _Array) -> dict[int, _Place | None] | None:
    """Returns the lines that access elements at indices of the kernel, and those that compute where they are.

    It is None for arrays that are used in other ways, and for those that are not indexed, or too often.
    """
    found: dict[int, _Place | None] = {}
    for number in uses[array.name]:
        line = lines[number]
        element = _ELEMENT.fullmatch(line)
        if element is not None and element[3] == array.name and element[2] == array.type and element[5][0] == "%":
            found[number] = None
            place = _Place(array, element[4], element[5])
            for other in set(uses[element[1]]) - {number}:
                if not _is_element(lines[other], element[1], array):
                    return None
                found[other] = place
        elif not (_ARRAY.fullmatch(line) or _is_access(line, array.name, array) or _is_mark(line, array)):
            # What is at a constant distance may be accessed in parts of any size, which LLVM splits.
            if element is None or element[3] != array.name or element[5][0] == "%":
                return None
            others = set(uses[element[1]]) - {number}
            if not all(_is_access(lines[other], element[1], array) for other in others):
                return None
    return found if 0 < sum(place is not None for place in found.values()) <= MOST_ACCESSES else None


def _is_access(line: str, pointer: str, array: _Array) -> bool:
    """Returns whether a line loads or stores an element, or an integer of any size that LLVM splits."""
    load, store = _LOAD.fullmatch(line), _STORE.fullmatch(line)
    if load is not None:
        return load[3] == pointer and (load[2] == array.type or load[2][0] == "i")
    return store is not None and store[3] == pointer != store[2] and (store[1] == array.type or store[1][0] == "i")


def _is_element(line: str, pointer: str, array: _Array) -> bool:
    load, store = _LOAD.fullmatch(line), _STORE.fullmatch(line)
    return _is_access(line, pointer, array) and array.type in (load and load[2], store and store[1])


def _is_mark(line: str, array: _Array) -> bool:
    found = _MARK.fullmatch(line)
    return found is not None and found[1] == array.name and _USED.findall(line).count(array.name) == 1


def _selected(line: str, place: _Place, fresh: int) -> Iterator[str]:
    """Yields the instructions that replace an access; `fresh` is a number that makes names new."""
    array, prefix = place.array, f'%"element {fresh}'
    debug = "".join(_DEBUG.findall(line))
    for number in range(array.count):
        yield (f'  {prefix} at {number}" = getelementptr {array.type}, ptr {array.name}, i32 {number}{debug}')
        yield f'  {prefix} old {number}" = load {array.type}, ptr {prefix} at {number}"{debug}'
    old = [f'{prefix} old {number}"' for number in range(array.count)]
    store = _STORE.fullmatch(line)
    if store is None:
        load = _LOAD.fullmatch(line)
        assert load is not None, "an access is a load or a store"
        yield from _tree(old, place, prefix, load[1], debug)
        return
    for number in range(array.count):
        same, new = f'{prefix} is {number}"', f'{prefix} new {number}"'
        yield f"  {same} = icmp eq {place.index_type} {place.index}, {number}{debug}"
        yield f"  {new} = select i1 {same}, {array.type} {store[2]}, {array.type} {old[number]}{debug}"
        yield f'  store {array.type} {new}, ptr {prefix} at {number}"{debug}'


def _tree(values: list[str], place: _Place, prefix: str, result: str, debug: str) -> Iterator[str]:
    """Yields selections among values by the bits of an index, the lowest first. Indices behind the last give any."""
    type, bit = place.array.type, 0
    while len(values) > 1:
        flag = f'{prefix} bit {bit}"'
        part = place.index
        if bit:
            part = f'{prefix} shifted {bit}"'
            yield f"  {part} = lshr {place.index_type} {place.index}, {bit}{debug}"
        yield f"  {flag} = trunc {place.index_type} {part} to i1{debug}"
        halves: list[str] = []
        for number, (low, high) in enumerate(zip(values[::2], values[1::2], strict=False)):
            name = result if len(values) == 2 else f'{prefix} level {bit} {number}"'
            yield f"  {name} = select i1 {flag}, {type} {high}, {type} {low}{debug}"
            halves.append(name)
        values = [*halves, *values[2 * len(halves) :]]
        bit += 1
