"""Groups of engines, and the time for which they were active (specification: Sysman engine).

Active time is simulated time: what the work would take on the device. It is compared with the time of the host, in
which the simulator needs longer, so that a device that is always simulated is mostly idle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from runtime.card import TileCount
from runtime.ze.declaration import api
from runtime.ze.driver import Device, items, live
from runtime.zes.chapters import GETS, SysmanChapter
from runtime.zes.spec import (
    zes_engine_ext_properties_t,
    zes_engine_group_t,
    zes_engine_properties_t,
    zes_engine_stats_t,
)
from runtime.zes.system.access import card_of
from runtime.zes.system.components import EngineGroup, components
from runtime.zes.system.readings import microseconds, timestamp

_COUNTS: Mapping[zes_engine_group_t, tuple[TileCount, ...]] = {
    zes_engine_group_t.ZES_ENGINE_GROUP_ALL: (TileCount.COMPUTE_NS, TileCount.COPY_NS),
    zes_engine_group_t.ZES_ENGINE_GROUP_COMPUTE_ALL: (TileCount.COMPUTE_NS,),
    zes_engine_group_t.ZES_ENGINE_GROUP_COMPUTE_SINGLE: (TileCount.COMPUTE_NS,),
    zes_engine_group_t.ZES_ENGINE_GROUP_COPY_ALL: (TileCount.COPY_NS,),
    zes_engine_group_t.ZES_ENGINE_GROUP_COPY_SINGLE: (TileCount.COPY_NS,),
}
"""The counts of a tile that groups consist of. A tile has one engine that computes, and one that copies."""


@api(SysmanChapter.ENGINE, GETS, seed="zetSysmanEngineGet")
def zesDeviceEnumEngineGroups(hDevice: Device) -> list[EngineGroup]:
    """Returns the groups of each tile: all engines, those that compute, and those that copy."""
    return components(card_of(hDevice), EngineGroup)


@api(SysmanChapter.ENGINE, seed="zetSysmanEngineGetProperties")
def zesEngineGetProperties(hEngine: EngineGroup, pNext: Sequence[type] = ()) -> zes_engine_properties_t:
    """Returns the kind of engines, and their tile."""
    engine = live(hEngine, EngineGroup)
    found = zes_engine_properties_t(engine.group, engine.onSubdevice, engine.subdeviceId)
    if zes_engine_ext_properties_t not in (items(pNext, "pNext") if pNext else ()):
        return found
    return replace(found, pNext=(zes_engine_ext_properties_t(0),))


@api(SysmanChapter.ENGINE, seed="zetSysmanEngineGetActivity")
def zesEngineGetActivity(hEngine: EngineGroup) -> zes_engine_stats_t:
    """Returns the simulated time for which engines were active, and the host's time, both in microseconds."""
    engine = live(hEngine, EngineGroup)
    return zes_engine_stats_t(microseconds(engine.board, engine.tiles, *_COUNTS[engine.group]), timestamp())


@api(SysmanChapter.ENGINE, since=(1, 7))
def zesEngineGetActivityExt(hEngine: EngineGroup) -> list[zes_engine_stats_t]:
    """Returns the activity of the physical function; there are no virtual functions beside it."""
    engine = live(hEngine, EngineGroup)
    return [zes_engine_stats_t(microseconds(engine.board, engine.tiles, *_COUNTS[engine.group]), timestamp())]
