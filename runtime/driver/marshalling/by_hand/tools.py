"""The callables of tools: values of metrics in two arrays, and memory and registers of programs that are debugged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from runtime.driver.abi import layouts
from runtime.driver.marshalling.arrays import give_numbers, give_structures
from runtime.driver.marshalling.by_hand.declared import Function, by_hand, require
from runtime.driver.marshalling.handles import HANDLES
from runtime.driver.marshalling.memory import read_bytes, write_bytes
from runtime.driver.marshalling.structures import reader
from runtime.ze import ZeError, ze_result_t
from runtime.ze.dispatch import driver_function


@by_hand
def zetMetricGroupCalculateMultipleMetricValuesExp(
    calculate: Function,
    hMetricGroup: int,
    type: int,
    rawDataSize: int,
    pRawData: int,
    pSetCount: int,
    pTotalMetricValueCount: int,
    pMetricCounts: int,
    pMetricValues: int,
) -> int:
    """Writes how many values each set has, and the values of all sets."""
    require(pSetCount, pTotalMetricValueCount)
    data = read_bytes(pRawData, rawDataSize) if pRawData else None
    counts, values = cast("tuple[list[int], list[object]]", calculate(HANDLES[hMetricGroup], type, data))
    give_numbers(pSetCount, pMetricCounts, counts, "I")
    size = layouts()["zet_typed_value_t"].size
    give_structures(pTotalMetricValueCount, pMetricValues, values, "zet_typed_value_t", size)
    return 0


# Program debug ------------------------------------------------------------------------------------------------------


def _thread(address: int) -> object:
    return reader("ze_device_thread_t")(address)


def _space(address: int) -> object:
    return reader("zet_debug_memory_space_desc_t")(address) if address else None


@by_hand
def zetDebugReadMemory(read: Function, hDebug: int, thread: int, desc: int, size: int, buffer: int) -> int:
    """Writes the bytes of the memory."""
    require(buffer)
    write_bytes(buffer, cast(bytes, read(HANDLES[hDebug], _thread(thread), _space(desc), size)))
    return 0


@by_hand
def zetDebugWriteMemory(write: Function, hDebug: int, thread: int, desc: int, size: int, buffer: int) -> int:
    """Takes the bytes for the memory."""
    data = read_bytes(buffer, size) if buffer else None
    write(HANDLES[hDebug], _thread(thread), _space(desc), data)
    return 0


@by_hand
def zetDebugReadRegisters(
    read: Function, hDebug: int, thread: int, type: int, start: int, count: int, pRegisterValues: int
) -> int:
    """Writes the bytes of the registers, if there is a place for them."""
    found = cast(bytes, read(HANDLES[hDebug], _thread(thread), type, start, count))
    if pRegisterValues:
        write_bytes(pRegisterValues, found)
    return 0


@by_hand
def zetDebugWriteRegisters(
    write: Function, hDebug: int, thread: int, type: int, start: int, count: int, pRegisterValues: int
) -> int:
    """Takes as many bytes as the registers of that type have."""
    session, place = HANDLES[hDebug], _thread(thread)
    sets = cast("Sequence[object]", driver_function("zetDebugGetThreadRegisterSetProperties")(session, place))
    sizes = [cast(int, getattr(each, "byteSize")) for each in sets if getattr(each, "type") == type]  # noqa: B009
    if not sizes:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"the thread has no registers of type {type}")
    data = read_bytes(pRegisterValues, count * sizes[0]) if pRegisterValues else None
    write(session, place, type, start, count, data)
    return 0
