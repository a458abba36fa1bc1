"""Memory modules (specification: Sysman memory)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from runtime.card import TileCount
from runtime.ze.declaration import api
from runtime.ze.driver import Device, items, live
from runtime.zes.chapters import GETS, SysmanChapter
from runtime.zes.spec import (
    zes_mem_bandwidth_counter_bits_exp_properties_t,
    zes_mem_bandwidth_t,
    zes_mem_health_t,
    zes_mem_loc_t,
    zes_mem_page_offline_state_exp_t,
    zes_mem_properties_t,
    zes_mem_state_t,
    zes_mem_type_t,
)
from runtime.zes.system.access import board, card_of, require_rights
from runtime.zes.system.components import MemoryModule, components
from runtime.zes.system.readings import timestamp

_STACK_CHANNEL_BITS, _CHANNEL_BITS = 128, 32

_COUNTER_BITS = 63


@api(SysmanChapter.SYSMAN_MEMORY, GETS, seed="zetSysmanMemoryGet")
def zesDeviceEnumMemoryModules(hDevice: Device) -> list[MemoryModule]:
    """Returns the memory modules: the local memory of each tile."""
    return components(card_of(hDevice), MemoryModule)


@api(SysmanChapter.SYSMAN_MEMORY, seed="zetSysmanMemoryGetProperties")
def zesMemoryGetProperties(hMemory: MemoryModule, pNext: Sequence[type] = ()) -> zes_mem_properties_t:
    """Returns kind, size in bytes, and bus of a memory."""
    memory = live(hMemory, MemoryModule)
    target = memory.card.target
    is_stacked = target.memory_bus_bits >= 1024
    found = zes_mem_properties_t(
        type=zes_mem_type_t.ZES_MEM_TYPE_HBM if is_stacked else zes_mem_type_t.ZES_MEM_TYPE_GDDR6,
        onSubdevice=memory.onSubdevice,
        subdeviceId=memory.subdeviceId,
        location=zes_mem_loc_t.ZES_MEM_LOC_DEVICE,
        physicalSize=target.memory_bytes,
        busWidth=target.memory_bus_bits,
        numChannels=target.memory_bus_bits // (_STACK_CHANNEL_BITS if is_stacked else _CHANNEL_BITS),
    )
    if zes_mem_bandwidth_counter_bits_exp_properties_t not in (items(pNext, "pNext") if pNext else ()):
        return found
    return replace(found, pNext=(zes_mem_bandwidth_counter_bits_exp_properties_t(_COUNTER_BITS),))


def used_bytes(card: Device) -> list[int]:
    """Returns the bytes that all processes together have of each tile.

    Memory of a card as a whole counts for its first tile; what that has no room for is on the next one.
    """
    users, size = board(card).users(), card.target.memory_bytes
    used = [sum(user.memory[tile] for user in users) for tile in range(card.target.tiles)]
    for tile in range(len(used) - 1):
        over = max(used[tile] - size, 0)
        used[tile] -= over
        used[tile + 1] += over
    return [min(max(each, 0), size) for each in used]


@api(SysmanChapter.SYSMAN_MEMORY, seed="zetSysmanMemoryGetState")
def zesMemoryGetState(hMemory: MemoryModule, pNext: Sequence[type] = ()) -> zes_mem_state_t:
    """Returns the bytes of a memory, and those that no process has."""
    memory = live(hMemory, MemoryModule)
    size = memory.card.target.memory_bytes
    free = size - used_bytes(memory.card)[memory.subdeviceId]
    found = zes_mem_state_t(zes_mem_health_t.ZES_MEM_HEALTH_OK, free, size)
    if zes_mem_page_offline_state_exp_t not in (items(pNext, "pNext") if pNext else ()):
        return found
    return replace(found, pNext=(zes_mem_page_offline_state_exp_t(0, 0),))


@api(SysmanChapter.SYSMAN_MEMORY, "INSUFFICIENT_PERMISSIONS", seed="zetSysmanMemoryGetBandwidth")
def zesMemoryGetBandwidth(hMemory: MemoryModule) -> zes_mem_bandwidth_t:
    """Returns the bytes that kernels and copies have read and written, and the most that the memory can per second."""
    memory = live(hMemory, MemoryModule)
    require_rights("read the traffic of a memory")
    state, tile = memory.board, memory.subdeviceId
    return zes_mem_bandwidth_t(
        state.tile_count(tile, TileCount.READ_BYTES),
        state.tile_count(tile, TileCount.WRITTEN_BYTES),
        memory.card.target.timing.memory_bandwidth,
        timestamp(),
    )
