"""Readers and writers of the structures of C, generated from their layouts and from the classes of Python.

A reader takes an address and returns an object; a writer takes an address and an object, and leaves the type of the
structure and its link to extensions as the caller has them. Both work on the members of the class: lengths of arrays
that C has and Python has not, and texts and arrays behind pointers, are written by hand in `by_hand`.
"""

from __future__ import annotations

import dataclasses
import importlib
import typing
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from functools import cache
from itertools import chain, groupby
from struct import Struct
from types import ModuleType

from runtime.driver.abi import HEADER, CMember, CStructure, api_of, layouts
from runtime.driver.marshalling.memory import VIEW, read_text
from runtime.ze.conversion import STRUCTURES

Reader = Callable[[int], object]
Writer = Callable[[int, object], None]

_PACKAGES: Mapping[str, str] = {"ze": "runtime.ze", "zet": "runtime.zet", "zes": "runtime.zes"}
"""The packages of the APIs, which are imported when something of theirs is used first."""


def package_of(name: str) -> ModuleType:
    """Returns the package that has a function or a type of C. The functions `zer...` belong to the core API."""
    return importlib.import_module(_PACKAGES.get(api_of(name), "runtime.ze"))


_classes: dict[str, type] = {}


def class_of(name: str) -> type | None:
    """Returns the class of a structure of C; None for other types."""
    if name not in layouts():
        return None
    if name not in _classes:
        package_of(name)
        _classes.update((kind.__name__, kind) for kind in STRUCTURES)
    return _classes.get(name)


_IRREGULAR = {
    "ZE_STRUCTURE_TYPE_BINDLESS_IMAGE_EXP_DESC": "ze_image_bindless_exp_desc_t",
    "ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC": (
        "ze_command_list_append_launch_kernel_param_cooperative_desc_t"
    ),
    "ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC": "ze_event_pool_counter_based_exp_desc_t",
    "ZE_STRUCTURE_TYPE_DEVICE_CACHELINE_SIZE_EXT": "ze_device_cache_line_size_ext_t",
    "ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_WIN32": "ze_external_memory_import_win32_handle_t",
    "ZE_STRUCTURE_TYPE_IMAGE_MEMORY_EXP_PROPERTIES": "ze_image_memory_properties_exp_t",
    "ZE_STRUCTURE_TYPE_KERNEL_ALLOCATION_PROPERTIES": "ze_kernel_allocation_exp_properties_t",
    "ZE_STRUCTURE_TYPE_KERNEL_MAX_GROUP_SIZE_EXT_PROPERTIES": "ze_kernel_max_group_size_properties_ext_t",
    "ZE_STRUCTURE_TYPE_PITCHED_ALLOC_DEVICE_EXP_PROPERTIES": "ze_device_pitched_alloc_exp_properties_t",
    "ZE_STRUCTURE_TYPE_PITCHED_IMAGE_EXP_DESC": "ze_image_pitched_exp_desc_t",
    "ZE_STRUCTURE_TYPE_IMAGE_VIEW_PLANAR_EXP_DESC": "ze_image_view_planar_ext_desc_t",
    "ZES_STRUCTURE_TYPE_MEMORY_PAGE_OFFLINE_STATE_EXP": "zes_mem_page_offline_state_exp_t",
}
"""Structures whose types are not called like them, in capitals, and one that is another name of its successor."""


def _extensible(api: str) -> Iterator[tuple[int, type]]:
    types: type[IntEnum] | None = getattr(package_of(f"{api}_"), f"{api}_structure_type_t", None)
    prefix = f"{api.upper()}_STRUCTURE_TYPE_"
    for name, number in types.__members__.items() if types is not None else ():
        kind = class_of(_IRREGULAR.get(name, f"{api}_{name.removeprefix(prefix).lower()}_t"))
        if kind is not None:
            yield int(number), kind


@cache
def types_of(api: str) -> Mapping[int, type]:
    """Returns the classes of an API's structures by `stype`. Each API has numbers of its own."""
    return dict(_extensible(api))


_HEADER = Struct("<I4xQ")

_LONGEST_CHAIN = 64
"""Chains are followed so far; one that is longer has no end."""


def links(address: int, api: str = "ze") -> Iterator[tuple[int, type]]:
    """Yields the structures of known types that the one at an address leads to: where they are, and their classes."""
    types = types_of(api)
    for _ in range(_LONGEST_CHAIN):
        address = _HEADER.unpack_from(VIEW, address)[1]
        if not address:
            return
        kind = types.get(_HEADER.unpack_from(VIEW, address)[0])
        if kind is not None:
            yield address, kind


def read_chain(address: int, api: str = "ze") -> tuple[object, ...] | None:
    """Returns the structures of known types in the chain that begins at an address; None for null."""
    if not address:
        return None
    first = types_of(api).get(_HEADER.unpack_from(VIEW, address)[0])
    begin = [] if first is None else [(address, first)]
    return tuple(_read_alone(place, kind) for place, kind in (*begin, *links(address, api)))


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
    kind = class_of(layout.name)
    assert kind is not None, layout.name
    members = layout.members
    variables = [[f"v{index}_{part}" for part in range(_parts(member))] for index, member in enumerate(members)]
    values = [parts[0] if len(parts) == 1 else f"({', '.join(parts)})" for parts in variables]
    names: dict[str, object] = {"read_text": read_text, "read_chain": read_chain, "view": VIEW}
    source = f"""def generated(address):
    {", ".join(chain.from_iterable(variables))}, = unpack(view, address)
    return {_arguments(kind, dict(zip(members, values, strict=True)), names)}
"""
    found = _compiled(source, unpack=Struct(layout.format_of(members)).unpack_from, **names)
    return typing.cast(Reader, found)


def _parts(member: CMember) -> int:
    """Returns how many values a member is unpacked to: an array of numbers has one for each, bytes are one."""
    return member.length or 1 if member.code[-1] != "s" else 1


def _arguments(kind: type, members: Mapping[CMember, str], names: dict[str, object], prefix: str = "") -> str:
    """Returns the call that makes an object of the members below `prefix`."""
    hints = typing.get_type_hints(kind)
    names[kind.__name__] = kind
    texts = []
    for field in dataclasses.fields(kind):
        path = prefix + field.name.rstrip("_")
        variable = next((variable for member, variable in members.items() if member.path == path), None)
        if field.name == "pNext":
            value = f"read_chain({variable}, {api_of(kind.__name__)!r})"
        elif variable is None and dataclasses.is_dataclass(hints[field.name]):
            value = _arguments(hints[field.name], members, names, f"{path}.")
        elif variable is None:  # bytes, which C wraps in a structure with one array
            within = [variable for member, variable in members.items() if member.path.startswith(f"{path}.")]
            if not within:  # a member of specification 0.91
                continue
            value = within[0]
        elif hints[field.name] in (str, str | None):
            value = f"read_text({variable})"
        else:
            value = variable
        texts.append(f"{field.name}={value}")
    return f"{kind.__name__}({', '.join(texts)})"


def _generated_writer(layout: CStructure) -> Writer:
    kind = class_of(layout.name)
    assert kind is not None, layout.name
    names: dict[str, object] = {"view": VIEW}
    lines = []
    for index, members in enumerate(_runs(layout)):
        begin = members[0].offset
        names[f"pack{index}"] = Struct(layout.format_of(members, begin, members[-1].end)).pack_into
        lines.append(f"    pack{index}(view, address + {begin}, {', '.join(_value(kind, each) for each in members)})\n")
    return typing.cast(Writer, _compiled(f"def generated(address, value):\n{''.join(lines) or '    pass'}", **names))


def _runs(layout: CStructure) -> Iterator[tuple[CMember, ...]]:
    """Yields the members between types and links of the structure and of those within it, which are the caller's."""
    for is_header, members in groupby(layout.members, lambda member: member.path.rsplit(".", 1)[-1] in HEADER):
        if not is_header:
            yield tuple(members)


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
    if _parts(member) > 1:
        return f"*({expression} + ({'0, ' * member.length}))[:{member.length}]"
    return expression
