"""Readers and writers of the structures that have lengths beside their arrays, or texts, binaries and other structures
behind pointers.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from struct import Struct

from runtime.driver.marshalling.memory import VIEW, read_bytes, read_numbers, read_text, read_word
from runtime.driver.marshalling.structures import READERS, WRITERS, class_of, read_chain, writer
from runtime.ze import ze_module_constants_t, ze_module_desc_t, ze_module_program_exp_desc_t

_MODULE = Struct("<I4xQI4xQQQQ")
_PROGRAM = Struct("<I4xQI4xQQQQ")
_CONSTANTS = Struct("<I4xQQ")


def _sizes(data: bytes) -> Mapping[int, int]:
    """Returns the sizes of a module's specialization constants by their numbers; none for a module that is broken."""
    spirv = importlib.import_module("passes.frontends.spirv")  # only who specializes a module waits for its reader
    failure: type[Exception] = spirv.SpirvError
    try:
        return {found.number: found.size for found in spirv.specializations(data)}
    except failure:
        return {}


def _constants(address: int, data: bytes) -> ze_module_constants_t | None:
    """Returns the constants at an address, whose sizes stand in the module; None for null."""
    if not address:
        return None
    count, identifiers_at, values_at = _CONSTANTS.unpack_from(VIEW, address)
    identifiers = read_numbers(identifiers_at, count, "I") or ()
    places = read_numbers(values_at, count) or ()
    sizes = _sizes(data) if identifiers and places else {}
    values = [read_bytes(place, sizes.get(number, 0)) for number, place in zip(identifiers, places, strict=False)]
    return ze_module_constants_t(identifiers, values)


def _read_module(address: int) -> ze_module_desc_t:
    _, chain, format, size, data_at, flags, constants = _MODULE.unpack_from(VIEW, address)
    data = read_bytes(data_at, size) if data_at else None
    return ze_module_desc_t(format, data, read_text(flags), _constants(constants, data or b""), pNext=read_chain(chain))


def _read_program(address: int) -> ze_module_program_exp_desc_t:
    _, chain, count, sizes_at, data_at, flags_at, constants_at = _PROGRAM.unpack_from(VIEW, address)
    sizes, places = read_numbers(sizes_at, count) or (), read_numbers(data_at, count) or ()
    modules = [read_bytes(place, size) if place else b"" for place, size in zip(places, sizes, strict=False)]
    flags, constants = read_numbers(flags_at, count), read_numbers(constants_at, count)
    return ze_module_program_exp_desc_t(
        modules,
        None if flags is None else [read_text(place) for place in flags],
        None
        if constants is None
        else [_constants(place, data) for place, data in zip(constants, modules, strict=False)],
        pNext=read_chain(chain),
    )


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


_COUNT = Struct("<i")

_FAN = Struct("<IiIi")


def _write_fan(address: int, value: object) -> None:
    """Writes the mode of a fan, and its speed and the points of its table."""
    mode, fixed, points = (getattr(value, member) for member in ("mode", "speedFixed", "speedTable"))
    _FAN.pack_into(VIEW, address + 16, mode, fixed.speed, fixed.units, points.numPoints)
    for index, point in enumerate(points.table[:_MOST_POINTS]):
        place = address + 16 + _FAN.size + index * _POINT.size
        _POINT.pack_into(VIEW, place, point.temperature, point.speed.speed, point.speed.units)


def _class(name: str) -> type:
    """Returns the class of a structure, whose package is imported with the functions that use it."""
    found = class_of(name)
    assert found is not None, name
    return found


_DOMAIN = Struct("<I")


def _write_power(address: int, value: object) -> None:
    """Writes the domain, and the default limit to the structure that the caller has for it."""
    domain, limit = (getattr(value, member) for member in ("domain", "defaultLimit"))
    _DOMAIN.pack_into(VIEW, address + 16, domain)
    place = read_word(address + 24)
    if place and limit is not None:
        writer("zes_power_limit_ext_desc_t")(place, limit)


WRITERS["zes_fan_config_t"] = _write_fan
WRITERS["zes_power_ext_properties_t"] = _write_power
READERS["zes_fan_speed_table_t"] = _read_fan_table
READERS["ze_module_desc_t"] = _read_module
READERS["ze_module_program_exp_desc_t"] = _read_program
