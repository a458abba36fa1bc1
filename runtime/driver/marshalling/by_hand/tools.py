"""The callables of tools: values of metrics in two arrays, and memory and registers of programs that are debugged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from runtime.driver.abi import layouts
from runtime.driver.marshalling.arrays import give_numbers, give_structures, handles_at
from runtime.driver.marshalling.by_hand.declared import Function, by_hand, require
from runtime.driver.marshalling.handles import HANDLES
from runtime.driver.marshalling.memory import read_bytes, read_word, write_bytes, write_numbers, write_word
from runtime.driver.marshalling.structures import package_of, reader, writer
from runtime.ze import ZeError, ze_result_t
from runtime.ze.dispatch import driver_function
from runtime.ze.driver import Handle, live


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
    found = cast("_Sets", calculate(HANDLES[hMetricGroup], type, data))
    return _give_sets(found, pSetCount, pTotalMetricValueCount, pMetricCounts, pMetricValues)


@by_hand
def zetMetricGroupCalculateMetricExportDataExp(
    calculate: Function,
    hDriver: int,
    type: int,
    exportDataSize: int,
    pExportData: int,
    pCalculateDescriptor: int,
    pSetCount: int,
    pTotalMetricValueCount: int,
    pMetricCounts: int,
    pMetricValues: int,
) -> int:
    """Does what `zetMetricGroupCalculateMultipleMetricValuesExp` does, with exported data."""
    require(pSetCount, pTotalMetricValueCount)
    data = read_bytes(pExportData, exportDataSize) if pExportData else None
    descriptor = reader("zet_metric_calculate_exp_desc_t")(pCalculateDescriptor) if pCalculateDescriptor else None
    found = cast("_Sets", calculate(HANDLES[hDriver], type, data, descriptor))
    return _give_sets(found, pSetCount, pTotalMetricValueCount, pMetricCounts, pMetricValues)


_Sets = tuple[list[int], list[object]]


def _give_sets(found: _Sets, counts_count: int, values_count: int, counts_at: int, values_at: int) -> int:
    counts, values = found
    give_numbers(counts_count, counts_at, counts, "I")
    size = layouts()["zet_typed_value_t"].size
    give_structures(values_count, values_at, values, "zet_typed_value_t", size)
    return 0


@by_hand
def zetDeviceGetConcurrentMetricGroupsExp(
    get: Function, hDevice: int, metricGroupCount: int, phMetricGroups: int, pCounts: int, pConcurrentGroupCount: int
) -> int:
    """Puts the groups into the order of the passes, and writes how many each has; or the number of passes alone."""
    require(pConcurrentGroupCount)
    groups, counts = cast(
        "tuple[list[Handle], list[int]]", get(HANDLES[hDevice], handles_at(phMetricGroups, metricGroupCount))
    )
    if pCounts:
        write_numbers(phMetricGroups, [HANDLES.of(group) for group in groups])
    give_numbers(pConcurrentGroupCount, pCounts, counts, "I")
    return 0


@by_hand
def zetMetricStreamerOpen(
    open: Function,
    hContext: int,
    hDevice: int,
    hMetricGroup: int,
    desc: int,
    hNotificationEvent: int,
    phMetricStreamer: int,
) -> int:
    """Writes the stream, and the values in use to the descriptor."""
    require(phMetricStreamer)
    name = "zet_metric_streamer_desc_t"
    asked = reader(name)(desc) if desc else None
    objects = (HANDLES[number] for number in (hContext, hDevice, hMetricGroup))
    used, streamer = cast("tuple[object, Handle]", open(*objects, asked, HANDLES[hNotificationEvent]))
    writer(name)(desc, used)
    write_word(phMetricStreamer, HANDLES.of(streamer))
    return 0


@by_hand
def zetMetricStreamerReadData(
    read: Function, hMetricStreamer: int, maxReportCount: int, pRawDataSize: int, pRawData: int
) -> int:
    """Writes reports and their bytes; without a place for them, the bytes that those would have which there are."""
    require(pRawDataSize)
    streamer, room = HANDLES[hMetricStreamer], read_word(pRawDataSize)
    if not pRawData or not room:
        found = live(cast("Handle | None", streamer), getattr(package_of("zet_"), "zet_metric_streamer_handle_t"))  # noqa: B009
        available, each = (cast(int, getattr(found, member)) for member in ("available", "sample_bytes"))
        write_word(pRawDataSize, min(maxReportCount, available) * each)
        return 0
    result, data = cast("tuple[ze_result_t, bytes]", read(streamer, maxReportCount, room))
    write_bytes(pRawData, data)
    write_word(pRawDataSize, len(data))
    return int(result)


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
