"""Readers of the descriptors of the core API that have lengths beside their arrays, and texts and binaries behind
pointers.
"""

from __future__ import annotations

from collections.abc import Mapping
from struct import Struct

from runtime.driver.marshalling.memory import VIEW, read_bytes, read_numbers, read_text
from runtime.driver.marshalling.structures import READERS, read_chain
from runtime.ze import ZE_MODULE_FORMAT_IL_SPIRV, ze_module_constants_t, ze_module_desc_t, ze_module_program_exp_desc_t
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # only who specializes a module waits for its reader
    import runtime.mux as mux

_MODULE = Struct("<I4xQI4xQQQQ")
_PROGRAM = Struct("<I4xQI4xQQQQ")
_CONSTANTS = Struct("<I4xQQ")


def _sizes(data: bytes) -> Mapping[int, int]:
    """Returns the sizes of a module's specialization constants by their numbers; none for a module that is broken."""
    try:
        return {number: found.size for number, found in mux.Context().get_specializable_constants(data).items()}
    except mux.MuxError:
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
    extensions = read_chain(chain)
    is_program = any(isinstance(extension, ze_module_program_exp_desc_t) for extension in extensions or ())
    if is_program and format == ZE_MODULE_FORMAT_IL_SPIRV:  # all else is ignored, and may be anything
        return ze_module_desc_t(format, None, pNext=extensions)
    data = read_bytes(data_at, size) if data_at else None
    return ze_module_desc_t(format, data, read_text(flags), _constants(constants, data or b""), pNext=extensions)


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


READERS["ze_module_desc_t"] = _read_module
READERS["ze_module_program_exp_desc_t"] = _read_program
