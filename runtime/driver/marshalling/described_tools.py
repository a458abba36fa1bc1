"""Readers and writers of structures of the tools and of system management that layouts do not describe: unions, arrays
of structures, and structures behind pointers.
"""

from __future__ import annotations

from collections.abc import Mapping
from struct import Struct
from typing import get_type_hints

from runtime.driver.marshalling.memory import VIEW, read_number, read_word
from runtime.driver.marshalling.structures import READERS, WRITERS, class_of, reader, writer


def _class(name: str) -> type:
    """Returns the class of a structure, whose package is imported with the functions that use it."""
    found = class_of(name)
    assert found is not None, name
    return found


# System management --------------------------------------------------------------------------------------------------

_COUNT = Struct("<i")

_POINT = Struct("<iiI")
"""A temperature, and the speed of a fan there with its unit."""

_MOST_POINTS = 32


def _read_fan_table(address: int) -> object:
    """Returns as many points as the table says that it has, and no more than it has room for."""
    table, point, speed = map(_class, ("zes_fan_speed_table_t", "zes_fan_temp_speed_t", "zes_fan_speed_t"))
    (count,) = _COUNT.unpack_from(VIEW, address)
    places = range(address + 4, address + 4 + _POINT.size * min(max(count, 0), _MOST_POINTS), _POINT.size)
    points = [_POINT.unpack_from(VIEW, place) for place in places]
    return table(tuple(point(degrees, speed(number, unit)) for degrees, number, unit in points))


_FAN = Struct("<IiIi")


def _write_fan(address: int, value: object) -> None:
    """Writes the mode of a fan, and its speed and the points of its table."""
    mode, fixed, points = (getattr(value, member) for member in ("mode", "speedFixed", "speedTable"))
    _FAN.pack_into(VIEW, address + 16, mode, fixed.speed, fixed.units, points.numPoints)
    for index, point in enumerate(points.table[:_MOST_POINTS]):
        place = address + 16 + _FAN.size + index * _POINT.size
        _POINT.pack_into(VIEW, place, point.temperature, point.speed.speed, point.speed.units)


def _read_fan(address: int) -> object:
    mode, speed, unit, _ = _FAN.unpack_from(VIEW, address + 16)
    points = _read_fan_table(address + 16 + _FAN.size - _COUNT.size)
    return _class("zes_fan_config_t")(mode, _class("zes_fan_speed_t")(speed, unit), points)


_DOMAIN = Struct("<I")


def _write_power(address: int, value: object) -> None:
    """Writes the domain, and the default limit to the structure that the caller has for it."""
    domain, limit = (getattr(value, member) for member in ("domain", "defaultLimit"))
    _DOMAIN.pack_into(VIEW, address + 16, domain)
    place = read_word(address + 24)
    if place and limit is not None:
        writer("zes_power_limit_ext_desc_t")(place, limit)


# Metrics ------------------------------------------------------------------------------------------------------------

_VALUES: Mapping[int, Struct] = {
    number: Struct(f"<{code}") for number, code in enumerate(("I", "Q", "f", "d", "?", "Q", "B", "H"))
}
"""The members of a union of values, by the number of the type."""

_TYPE = Struct("<I")


def _write_value(address: int, value: object) -> None:
    """Writes the member of the union that the type says, and nothing beside it."""
    type, number = (getattr(value, member) for member in ("type", "value"))
    _TYPE.pack_into(VIEW, address, type)
    _WORD.pack_into(VIEW, address + 8, 0)
    _VALUES[type].pack_into(VIEW, address + 8, number)


_WORD = Struct("<Q")

# Program instrumentation --------------------------------------------------------------------------------------------

_PROFILE = Struct("<II")


def _write_profile(address: int, value: object) -> None:
    """Writes the flags, and that no tokens follow: a call does not say how much room there is behind the structure."""
    (flags,) = (getattr(value, member) for member in ("flags",))
    _PROFILE.pack_into(VIEW, address + 16, flags, 0)


# Program debug ------------------------------------------------------------------------------------------------------

_EVENT = Struct("<II")

_INFOS: Mapping[int, str] = {
    1: "detached",
    4: "module",
    5: "module",
    6: "thread",
    7: "thread",
    8: "page_fault",
}
"""The members of the union in an event, by the number of its type."""

_STRUCTURES: Mapping[str, str] = {
    "detached": "zet_debug_event_info_detached_t",
    "module": "zet_debug_event_info_module_t",
    "thread": "zet_debug_event_info_thread_stopped_t",
    "page_fault": "zet_debug_event_info_page_fault_t",
}
"""The structures of those members."""


def _write_event(address: int, value: object) -> None:
    """Writes an event with what its type says."""
    type, flags, info = (getattr(value, member) for member in ("type", "flags", "info"))
    _EVENT.pack_into(VIEW, address, type, flags)
    member = _INFOS.get(type)
    if member is not None:
        writer(_STRUCTURES[member])(address + 8, getattr(info, member))


def _read_event(address: int) -> object:
    type, flags = _EVENT.unpack_from(VIEW, address)
    member = _INFOS.get(type)
    infos = {} if member is None else {member: reader(_STRUCTURES[member])(address + 8)}
    event = _class("zet_debug_event_t")
    return event(type, flags, get_type_hints(event)["info"](**infos))


def _read_debug_config(address: int) -> object:
    return _class("zet_debug_config_t")(read_number(address))


WRITERS["zes_fan_config_t"] = _write_fan
WRITERS["zes_power_ext_properties_t"] = _write_power
WRITERS["zet_debug_event_t"] = _write_event
WRITERS["zet_profile_properties_t"] = _write_profile
WRITERS["zet_typed_value_t"] = _write_value
READERS["zes_fan_config_t"] = _read_fan
READERS["zes_fan_speed_table_t"] = _read_fan_table
READERS["zet_debug_config_t"] = _read_debug_config
READERS["zet_debug_event_t"] = _read_event
