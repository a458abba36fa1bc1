"""The callables of system management: images of firmware, lists of events, and structures in place of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from runtime.driver.abi import layouts
from runtime.driver.marshalling.arrays import give_structures, handles_at
from runtime.driver.marshalling.by_hand.core import function_address
from runtime.driver.marshalling.by_hand.declared import Function, by_hand, require
from runtime.driver.marshalling.handles import HANDLES
from runtime.driver.marshalling.memory import read_bytes, read_number, read_numbers, write_numbers
from runtime.driver.marshalling.structures import class_of, links, writer
from runtime.ze import ZeError, ze_result_t


@by_hand
def zesDriverGetExtensionFunctionAddress(look_up: Function, hDriver: int, name: int, ppFunctionAddress: int) -> int:
    """Writes the address of the function in C."""
    return function_address(look_up, hDriver, name, ppFunctionAddress)


@by_hand
def zesDeviceProcessesGetState(get: Function, hDevice: int, pCount: int, pProcesses: int) -> int:
    """Writes the processes. An array that has no room for all is refused, with their number."""
    require(pCount)
    found = cast("list[object]", get(HANDLES[hDevice]))
    capacity = read_number(pCount)
    if pProcesses and 0 < capacity < len(found):
        write_numbers(pCount, (len(found),), "I")
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"room for {capacity} processes, there are {len(found)}"
        )
    size = layouts()["zes_process_state_t"].size
    give_structures(pCount, pProcesses, found, "zes_process_state_t", size)
    return 0


@by_hand
def zesDevicePciGetBars(get: Function, hDevice: int, pCount: int, pProperties: int) -> int:
    """Writes the windows, and those of version 1.2 where they are chained."""
    require(pCount)
    device, name, size = HANDLES[hDevice], "zes_pci_bar_properties_t", layouts()["zes_pci_bar_properties_t"].size
    found = cast("list[object]", get(device))
    give_structures(pCount, pProperties, found, name, size)
    newer = class_of("zes_pci_bar_properties_1_2_t")
    for index in range(min(read_number(pCount), len(found)) if pProperties else 0):
        for place, kind in links(pProperties + index * size, "zes"):
            if kind is newer:
                writer(kind.__name__)(place, cast("list[object]", get(device, pNext=[kind]))[index])
    return 0


def _listen(
    listen: Function, hDriver: int, timeout: int, count: int, phDevices: int, pNumDeviceEvents: int, pEvents: int
) -> int:
    require(pNumDeviceEvents, pEvents)
    devices = handles_at(phDevices, count)
    number, events = cast("tuple[int, Sequence[int]]", listen(HANDLES[hDriver], timeout, devices))
    write_numbers(pNumDeviceEvents, (number,), "I")
    write_numbers(pEvents, events, "I")
    return 0


@by_hand
def zesDriverEventListen(
    listen: Function, hDriver: int, timeout: int, count: int, phDevices: int, pNumDeviceEvents: int, pEvents: int
) -> int:
    """Writes the number of devices with events, and the events of each."""
    return _listen(listen, hDriver, timeout, count, phDevices, pNumDeviceEvents, pEvents)


@by_hand
def zesDriverEventListenEx(
    listen: Function, hDriver: int, timeout: int, count: int, phDevices: int, pNumDeviceEvents: int, pEvents: int
) -> int:
    """Does what `zesDriverEventListen` does."""
    return _listen(listen, hDriver, timeout, count, phDevices, pNumDeviceEvents, pEvents)


@by_hand
def zesFirmwareFlash(flash: Function, hFirmware: int, pImage: int, size: int) -> int:
    """Flashes the image at an address."""
    flash(HANDLES[hFirmware], read_bytes(pImage, size) if pImage else None, size)
    return 0


@by_hand
def zesFabricPortGetMultiPortThroughput(
    get: Function, hDevice: int, numPorts: int, phPort: int, pThroughput: int
) -> int:
    """Writes the throughput of each port to the structure that the array points to."""
    require(pThroughput)
    found = cast("list[object]", get(HANDLES[hDevice], handles_at(phPort, numPorts)))
    places = read_numbers(pThroughput, numPorts) or ()
    for place, throughput in zip(places, found, strict=True):
        writer("zes_fabric_port_throughput_t")(place, throughput)
    return 0


# Errors -------------------------------------------------------------------------------------------------------------


@by_hand
def zesRasGetStateExp2(get: Function, hRas: int, count: int, pCategories: int, pState: int) -> int:
    """Writes the errors of each category."""
    require(pState)
    found = cast("list[object]", get(HANDLES[hRas], read_numbers(pCategories, count, "I")))
    _write_all(pState, found, "zes_ras_state_exp2_t")
    return 0


@by_hand
def zesRasGetConfigExp(get: Function, hRas: int, count: int, pConfig: int) -> int:
    """Writes the threshold of each category that the array names."""
    require(pConfig)
    name = "zes_ras_config_exp_t"
    known: Mapping[int, object] = {_category(each): each for each in cast("list[object]", get(HANDLES[hRas]))}
    size, category = layouts()[name].size, next(each for each in layouts()[name].members if each.path == "category")
    wanted = [read_number(pConfig + index * size + category.offset) for index in range(count)]
    unknown = [category for category in wanted if category not in known]
    if unknown:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"category {unknown[0]} is not counted")
    _write_all(pConfig, [known[category] for category in wanted], name)
    return 0


def _category(structure: object) -> int:
    return int(getattr(structure, "category"))  # noqa: B009 - its class is of a package that is imported late


def _write_all(array: int, found: Sequence[object], name: str) -> None:
    size = layouts()[name].size
    for index, structure in enumerate(found):
        writer(name)(array + index * size, structure)


@by_hand
def zesFirmwareGetSecurityVersionExp(get: Function, hFirmware: int, pVersion: int) -> int:
    """Asks for the version, which no simulated firmware has: the specification does not limit its length."""
    require(pVersion)
    get(HANDLES[hFirmware])
    return 0
