"""The driver of `ze-info`: prints an inventory of Level Zero."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from runtime import ZeError
from runtime.ze.inventory import Plain, inventory
from runtime.zes.inventory import card_inventory
from tools.cli import CommandError, write_bytes
from tools.info.command import InfoOptions

_INDENT = "  "

_IN_BYTES = frozenset(
    {
        "cacheSize",
        "maxArgumentsSize",
        "maxImageBufferSize",
        "maxMemAllocSize",
        "maxSharedLocalMemory",
        "physicalSize",
        "printfBufferSize",
        "totalSize",
        "free",
        "memSize",
        "size",
    }
)
_HEXADECIMAL = frozenset({"vendorId", "deviceId", "ipVersion", "driverVersion"})
_VERSIONS = frozenset({"version", "spirvVersionSupported"})
"""Version numbers, with the major version in the upper 16 bits."""

_OBJECTS = {"cards": "Card", "drivers": "Driver", "devices": "Device", "subDevices": "Sub-device"}
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


def run(options: InfoOptions) -> int:
    """Executes the command line and returns 0.

    Raises:
        CommandError: If there is no driver, or the output cannot be written.
    """
    title = "cards" if options.sysman else "drivers"
    try:
        found = card_inventory() if options.sysman else inventory()
    except ZeError as error:
        raise CommandError(str(error)) from None
    if options.json:
        text = json.dumps({title: found}, indent=2)
    else:
        text = "\n".join(_names(found) if options.list else _lines(title, found))
    write_bytes(options.output, f"{text}\n".encode())
    return 0


def _names(drivers: Sequence[Plain]) -> Iterator[str]:
    """Yields the devices with their numbers; sub-devices follow as DEVICE.SUBDEVICE."""
    for driver in drivers:
        yield from _device_names(driver, "devices", "")


def _device_names(parent: Plain, key: str, prefix: str) -> Iterator[str]:
    for number, device in enumerate(_member(parent, key)):
        yield f"{prefix}{number}: {_name(device)}"
        yield from _device_names(device, "subDevices", f"{prefix}{number}.")


def _member(value: Plain, key: str) -> Sequence[Plain]:
    found = value.get(key, []) if isinstance(value, dict) else []
    return found if isinstance(found, list) else []


def _name(device: Plain) -> str:
    properties = device["properties"] if isinstance(device, dict) else None
    core = properties.get("core", properties) if isinstance(properties, dict) else None
    return str(core.get("name", "simulated")) if isinstance(core, dict) else ""


def _lines(title: str, value: Plain | Sequence[Plain], indent: str = "") -> Iterator[str]:
    """Yields a member with its contents: nested structures on lines of their own, other values on one line."""
    if isinstance(value, dict):
        yield f"{indent}{title}"
        width = max((len(name) for name, member in value.items() if not _is_nested(member)), default=0)
        for name, member in value.items():
            if _is_nested(member):
                yield from _lines(name, member, indent + _INDENT)
            else:
                yield f"{indent}{_INDENT}{name:{width}}  {_text(name, member)}"
    elif title == "extensionProperties" and isinstance(value, list):
        yield f"{indent}{title}"
        for extension in value:
            if isinstance(extension, dict):
                yield f"{indent}{_INDENT}{extension['name']}  {_text('version', extension['version'])}"
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for number, item in enumerate(value):
            heading = f"{_OBJECTS[title]} {number}: {_name(item)}" if title in _OBJECTS else f"{title} {number}"
            yield from _lines(heading, item, indent)


def _is_nested(value: Plain) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict) for item in value))


def _text(name: str, value: Plain) -> str:
    if isinstance(value, list):
        return ", ".join(_text(name, item) for item in value) or "none"
    if isinstance(value, str):
        # Strip the prefix that all enumerators of a type share; the name of the member implies it.
        return value.rpartition("_FLAG_")[2].removeprefix("ZE_").removeprefix("ZES_")
    if isinstance(value, bool) or not isinstance(value, int):
        return str(value)
    if name in _VERSIONS:
        return f"{value >> 16}.{value & 0xFFFF}"
    if name in _HEXADECIMAL:
        return f"{value:#x}"
    return f"{value} ({_readable(value)})" if name in _IN_BYTES and value >= 1 << 10 else str(value)


def _readable(size: int) -> str:
    """Formats a number of bytes in the largest unit that does not exceed it."""
    power = min((size.bit_length() - 1) // 10, len(_UNITS) - 1)
    return f"{size / (1 << 10 * power):.4g} {_UNITS[power]}"
