"""Readers and writers of the structures of C, generated from their layouts and from the classes of `runtime.ze`.

A reader takes an address and returns an object; a writer takes an address and an object, and leaves the type of the
structure and its link to extensions as the caller has them. Both work on the members of the class: lengths of arrays
that C has and Python has not, and texts and arrays behind pointers, are written by hand in `by_hand`.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from struct import Struct

from runtime.driver.abi import CMember, CStructure, layouts
from runtime.driver.marshalling.memory import VIEW, read_text
from runtime.ze import ze_structure_type_t
from runtime.ze.conversion import STRUCTURES

Reader = Callable[[int], object]
Writer = Callable[[int, object], None]

CLASSES: Mapping[str, type] = {kind.__name__: kind for kind in STRUCTURES if kind.__name__ in layouts()}
"""The classes that have a layout, by name."""

_IRREGULAR = {
    "COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC": "ze_command_list_append_launch_kernel_param_cooperative_desc_t",
    "COUNTER_BASED_EVENT_POOL_EXP_DESC": "ze_event_pool_counter_based_exp_desc_t",
    "IMAGE_MEMORY_EXP_PROPERTIES": "ze_image_memory_properties_exp_t",
    "KERNEL_ALLOCATION_PROPERTIES": "ze_kernel_allocation_exp_properties_t",
    "KERNEL_MAX_GROUP_SIZE_EXT_PROPERTIES": "ze_kernel_max_group_size_properties_ext_t",
    "IMAGE_VIEW_PLANAR_EXP_DESC": "ze_image_view_planar_ext_desc_t",
}
"""Structures whose types are not called like them, in capitals, and one that is another name of its successor."""

_PREFIX = "ZE_STRUCTURE_TYPE_"


def _extensible() -> Iterator[tuple[int, type]]:
    for name, number in ze_structure_type_t.__members__.items():
        short = name.removeprefix(_PREFIX)
        kind = CLASSES.get(_IRREGULAR.get(short, f"ze_{short.lower()}_t"))
        if kind is not None:
            yield int(number), kind


BY_TYPE: Mapping[int, type] = dict(_extensible())
"""The classes of structures by `stype`."""

_HEADER = Struct("<I4xQ")

_LONGEST_CHAIN = 64
"""Chains are followed so far; one that is longer has no end."""


def links(address: int) -> Iterator[tuple[int, type]]:
    """Yields the structures of known types that the one at an address leads to: where they are, and their classes."""
    for _ in range(_LONGEST_CHAIN):
        address = _HEADER.unpack_from(VIEW, address)[1]
        if not address:
            return
        kind = BY_TYPE.get(_HEADER.unpack_from(VIEW, address)[0])
        if kind is not None:
            yield address, kind


def read_chain(address: int) -> tuple[object, ...] | None:
    """Returns the structures of known types in the chain that begins at an address; None for null."""
    if not address:
        return None
    first = BY_TYPE.get(_HEADER.unpack_from(VIEW, address)[0])
    begin = [] if first is None else [(address, first)]
    return tuple(_read_alone(place, kind) for place, kind in (*begin, *links(address)))


def _read_alone(address: int, kind: type) -> object:
    """Returns a structure of a chain, without what follows it."""
    found = reader(kind.__name__)(address)
    assert dataclasses.is_dataclass(found) and not isinstance(found, type)
    return dataclasses.replace(found, pNext=None) if hasattr(found, "pNext") else found


READERS: dict[str, Reader] = {}
"""Readers that are written by hand."""

WRITERS: dict[str, Writer] = {}
"""Writers that are written by hand."""


@cache
def reader(name: str) -> Reader:
    """Returns the reader of a structure."""
    return READERS.get(name) or _generated_reader(layouts()[name])


@cache
def writer(name: str) -> Writer:
    """Returns the writer of a structure."""
    return WRITERS.get(name) or _generated_writer(layouts()[name])


def _compiled(source: str, **names: object) -> Callable[..., object]:
    """Returns the function that a source defines, which uses some names."""
    space: dict[str, object] = dict(names)
    exec(source, space)
    return typing.cast("Callable[..., object]", space["generated"])


def _generated_reader(layout: CStructure) -> Reader:
    kind = CLASSES[layout.name]
    members = layout.members
    variables = [f"v{index}" for index in range(len(members))]
    names: dict[str, object] = {"read_text": read_text, "read_chain": read_chain, "view": VIEW}
    arguments = _arguments(kind, dict(zip(members, variables, strict=True)), names)
    source = f"""def generated(address):
    {", ".join(variables)}, = unpack(view, address)
    return {arguments}
"""
    found = _compiled(source, unpack=Struct(layout.format_of(members)).unpack_from, **names)
    return typing.cast(Reader, found)


def _arguments(kind: type, members: Mapping[CMember, str], names: dict[str, object], prefix: str = "") -> str:
    """Returns the call that makes an object of the members below `prefix`."""
    hints = typing.get_type_hints(kind)
    names[kind.__name__] = kind
    texts = []
    for field in dataclasses.fields(kind):
        path = prefix + field.name.rstrip("_")
        variable = next((variable for member, variable in members.items() if member.path == path), None)
        if field.name == "pNext":
            value = f"read_chain({variable})"
        elif variable is None and dataclasses.is_dataclass(hints[field.name]):
            value = _arguments(hints[field.name], members, names, f"{path}.")
        elif variable is None:  # bytes, which C wraps in a structure with one array
            value = next(variable for member, variable in members.items() if member.path.startswith(f"{path}."))
        elif hints[field.name] in (str, str | None):
            value = f"read_text({variable})"
        else:
            value = variable
        texts.append(f"{field.name}={value}")
    return f"{kind.__name__}({', '.join(texts)})"


def _generated_writer(layout: CStructure) -> Writer:
    begin = 16 if layout.is_extensible else 0
    members = tuple(member for member in layout.members if member.offset >= begin)
    values = ", ".join(_value(CLASSES[layout.name], member) for member in members)
    source = f"""def generated(address, value):
    pack(view, address + {begin}, {values})
"""
    found = _compiled(source, pack=Struct(layout.format_of(members, begin)).pack_into, view=VIEW)
    return typing.cast(Writer, found)


def _value(kind: type, member: CMember) -> str:
    """Returns the expression of a member of `value`."""
    path = member.path.split(".")
    expression = "value"
    for name in path:
        fields = {field.name.rstrip("_"): field.name for field in dataclasses.fields(kind)}
        if name not in fields and not hasattr(kind, name):  # bytes, which C wraps in a structure with one array
            break
        attribute = fields.get(name, name)
        expression += f".{attribute}"
        hint = typing.get_type_hints(kind).get(attribute)
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            kind = hint
    if member.type == "char":
        return f"{expression}.encode()[:{member.length - 1}]"
    if member.length and member.code[-1] != "s":
        return f"*({expression} + ({'0, ' * member.length}))[:{member.length}]"
    return expression
