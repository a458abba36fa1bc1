"""Performance factors (specification: Sysman performance factor)."""

from __future__ import annotations

from runtime.ze.declaration import api
from runtime.ze.driver import Device, live
from runtime.zes.chapters import GETS, SETS, SysmanChapter
from runtime.zes.spec import zes_engine_type_flags_t, zes_perf_properties_t
from runtime.zes.system.access import card_of, invalid
from runtime.zes.system.components import PerformanceFactor, components

_BALANCED = 50.0

_MOST = 100.0


@api(SysmanChapter.PERFORMANCE_FACTOR, GETS, seed="zetSysmanPerformanceProfileGetSupported")
def zesDeviceEnumPerformanceFactorDomains(hDevice: Device) -> list[PerformanceFactor]:
    """Returns the domains: one for the engines of each tile that compute."""
    return components(card_of(hDevice), PerformanceFactor)


@api(SysmanChapter.PERFORMANCE_FACTOR, seed=None)
def zesPerformanceFactorGetProperties(hPerf: PerformanceFactor) -> zes_perf_properties_t:
    """Returns the engines of a domain."""
    found = live(hPerf, PerformanceFactor)
    return zes_perf_properties_t(
        found.onSubdevice, found.subdeviceId, zes_engine_type_flags_t.ZES_ENGINE_TYPE_FLAG_COMPUTE
    )


@api(SysmanChapter.PERFORMANCE_FACTOR, seed="zetSysmanPerformanceProfileGet")
def zesPerformanceFactorGetConfig(hPerf: PerformanceFactor) -> float:
    """Returns the factor, from 0 for work that the memory bounds to 100 for work that computes."""
    return float(live(hPerf, PerformanceFactor).number("factor", _BALANCED))


@api(SysmanChapter.PERFORMANCE_FACTOR, SETS, seed="zetSysmanPerformanceProfileSet")
def zesPerformanceFactorSetConfig(hPerf: PerformanceFactor, factor: float) -> None:
    """Sets the factor. It is a hint: each launch has the clock that its own use of power allows, whatever the hint.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a factor outside 0 to 100.
    """
    found = live(hPerf, PerformanceFactor)
    if not 0 <= factor <= _MOST:
        raise invalid(f"a factor of {factor}, expected 0 to 100")
    found.set(factor=factor)
