"""Times of devices and of the commands that signaled events (specification: Event, Command List)."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from runtime.ze.command_list import CommandList
from runtime.ze.copies import Operand, operand_bytes
from runtime.ze.device import Device
from runtime.ze.enums import ze_event_pool_flags_t
from runtime.ze.event import Event
from runtime.ze.handle import items, live, required, unsigned
from runtime.ze.processor import KERNEL_TICK_BITS, TICK_BITS, TICK_NS
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.shared_slots import EventState
from runtime.ze.structs import (
    ze_event_query_kernel_timestamps_results_ext_properties_t,
    ze_kernel_timestamp_data_t,
    ze_kernel_timestamp_result_t,
    ze_synchronized_timestamp_data_ext_t,
    ze_synchronized_timestamp_result_ext_t,
)

_KERNEL_TICKS = (1 << KERNEL_TICK_BITS) - 1
_RESULT = struct.Struct("<4Q")
_MAPPED = ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP

RESULT_BYTES = _RESULT.size
"""Size of a `ze_kernel_timestamp_result_t` in memory."""


def _timed(hEvent: Event) -> Event:
    event = live(hEvent, Event)
    if not event.timed:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"the pool of {event!r} was made without kernel timestamps"
        )
    return event


def _signaled_times(event: Event) -> EventState:
    state = event.times()
    if not event.signaled or not state.signaled:
        raise ZeError(ze_result_t.ZE_RESULT_NOT_READY, f"{event!r} is not signaled")
    return state


def _result(state: EventState) -> ze_kernel_timestamp_result_t:
    data = ze_kernel_timestamp_data_t(state.start & _KERNEL_TICKS, state.end & _KERNEL_TICKS)
    return ze_kernel_timestamp_result_t(global_=data, context=data)


def zeEventQueryKernelTimestamp(hEvent: Event) -> ze_kernel_timestamp_result_t:
    """When the command that signaled an event ran, in ticks of the device's `timerResolution`.

    Raises not ready for an event that is not signaled, and invalid argument for one of a pool without timestamps.
    """
    return _result(_signaled_times(_timed(hEvent)))


def zeEventQueryTimestampsExp(hEvent: Event, hDevice: Device) -> list[ze_kernel_timestamp_result_t]:
    """The same for each tile of a device that took part: one, as a command runs on one tile."""
    event = live(hEvent, Event)
    live(hDevice, Device)
    return [zeEventQueryKernelTimestamp(event)]


def zeEventQueryKernelTimestampsExt(
    hEvent: Event, hDevice: Device
) -> list[ze_event_query_kernel_timestamps_results_ext_properties_t]:
    """The same, with the times of the host's clock in nanoseconds if the event's pool has mapped timestamps."""
    event = live(hEvent, Event)
    live(hDevice, Device)
    state = _signaled_times(_timed(event))
    synchronized = None
    if event.pool.flags & _MAPPED:
        data = ze_synchronized_timestamp_data_ext_t(state.start * TICK_NS, state.end * TICK_NS)
        synchronized = ze_synchronized_timestamp_result_ext_t(global_=data, context=data)
    return [ze_event_query_kernel_timestamps_results_ext_properties_t(_result(state), synchronized)]


def zeCommandListAppendQueryKernelTimestamps(
    hCommandList: CommandList,
    phEvents: Sequence[Event],
    dstptr: Operand,
    pOffsets: Sequence[int] | None = None,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Write the results of `zeEventQueryKernelTimestamp`, 32 bytes each, to memory: in a row, or at offsets.

    Zeros stand for an event that is not signaled when the command runs. Raises invalid size for as many offsets as
    there are not events.
    """
    command_list = live(hCommandList, CommandList)
    phEvents = items(phEvents, "phEvents")
    required(dstptr, "dstptr")
    events = [_timed(command_list.event(event)) for event in phEvents]
    offsets = range(0, len(events) * RESULT_BYTES, RESULT_BYTES) if pOffsets is None else items(pOffsets, "pOffsets")
    if not events or len(offsets) != len(events):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"{len(events)} events and {len(offsets)} offsets")
    size = max(unsigned(offset, "pOffsets", 64) for offset in offsets) + RESULT_BYTES
    target = operand_bytes(command_list.context, dstptr, size, "dstptr", writes=True)

    def write() -> None:
        data = target()
        for event, offset in zip(events, offsets, strict=True):
            state = event.times()
            times = (state.start & _KERNEL_TICKS, state.end & _KERNEL_TICKS) if state.signaled else (0, 0)
            _RESULT.pack_into(data.data, offset, *times, *times)

    command_list.append(write, hSignalEvent, phWaitEvents)


def zeCommandListAppendWriteGlobalTimestamp(
    hCommandList: CommandList,
    dstptr: Operand,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Write the device time, in ticks, as a 64-bit number to memory when the command runs."""
    command_list = live(hCommandList, CommandList)
    required(dstptr, "dstptr")
    target = operand_bytes(command_list.context, dstptr, 8, "dstptr", writes=True)
    processor = command_list.device.processor

    def write() -> None:
        ticks = processor.tick() & ((1 << TICK_BITS) - 1)
        target()[:] = list(ticks.to_bytes(8, "little"))

    command_list.append(write, hSignalEvent, phWaitEvents)
