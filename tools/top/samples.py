"""Samples of the counters of cards, and the rates between two of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from runtime import ZeError, zes

_GPU, _COMPUTE, _COPY = 0, 1, 3
"""The frequency domain of the GPU, and the groups of all engines that compute and that copy."""


@dataclass(frozen=True)
class TileSample:
    """The counters of a tile: energy in microjoules, times in microseconds, memory in bytes. `traffic` counts bytes
    that its memory has moved; None for users who may not know.
    """

    number: int
    time: int
    energy: int
    compute: int
    copy: int
    throttled: int
    clock: float
    degrees: float
    used: int
    size: int
    traffic: int | None


@dataclass(frozen=True)
class ProcessSample:
    """A process that uses a card: its number, its name, and the bytes that it has there."""

    number: int
    name: str
    memory: int
    engines: str


@dataclass(frozen=True)
class CardSample:
    """A card: its name, whether it must be reset, its tiles and its processes."""

    name: str
    address: str
    is_lost: bool
    limit: int
    tiles: tuple[TileSample, ...]
    processes: tuple[ProcessSample, ...]


@dataclass(frozen=True)
class TileRates:
    """The work of a tile between two samples: shares of the host's time, watts while it worked, bytes per second."""

    compute: float
    copy: float
    watts: float
    traffic: float | None


def sample(card: zes.zes_device_handle_t) -> CardSample:
    """Returns a sample of a card."""
    place = zes.zesDevicePciGetProperties(card).address
    return CardSample(
        card.properties.name,
        f"{place.domain:04x}:{place.bus:02x}:{place.device:02x}.{place.function}",
        bool(zes.zesDeviceGetState(card).reset),
        zes.zesPowerGetLimits(zes.zesDeviceGetCardPowerDomain(card))[0].power,
        tuple(_tile(card, number) for number in range(max(len(card.tiles), 1))),
        tuple(_process(each) for each in zes.zesDeviceProcessesGetState(card)),
    )


def _tile(card: zes.zes_device_handle_t, number: int) -> TileSample:
    engines = {
        int(found.type): zes.zesEngineGetActivity(engine)
        for engine in zes.zesDeviceEnumEngineGroups(card)
        if (found := zes.zesEngineGetProperties(engine)).subdeviceId == number
    }
    domains = [domain for domain in zes.zesDeviceEnumFrequencyDomains(card) if domain.subdeviceId == number]
    clock = next(domain for domain in domains if zes.zesFrequencyGetProperties(domain).type == _GPU)
    memory = next(each for each in zes.zesDeviceEnumMemoryModules(card) if each.subdeviceId == number)
    power = [each for each in zes.zesDeviceEnumPowerDomains(card) if each.tile in (number, None)][-1]
    sensor = next(each for each in zes.zesDeviceEnumTemperatureSensors(card) if each.subdeviceId == number)
    state = zes.zesMemoryGetState(memory)
    return TileSample(
        number,
        engines[_COMPUTE].timestamp,
        zes.zesPowerGetEnergyCounter(power).energy,
        engines[_COMPUTE].activeTime,
        engines[_COPY].activeTime,
        zes.zesFrequencyGetThrottleTime(clock).throttleTime,
        zes.zesFrequencyGetState(clock).actual,
        zes.zesTemperatureGetState(sensor),
        state.size - state.free,
        state.size,
        _traffic(memory),
    )


def _traffic(memory: zes.zes_mem_handle_t) -> int | None:
    try:
        found = zes.zesMemoryGetBandwidth(memory)
    except ZeError:  # only an administrator may read it
        return None
    return found.readCounter + found.writeCounter


def _process(state: zes.zes_process_state_t) -> ProcessSample:
    try:
        name = Path(f"/proc/{state.processId}/comm").read_text(errors="replace").strip()
    except OSError:  # it has ended meanwhile
        name = "?"
    names = [flag.name or "" for flag in zes.zes_engine_type_flags_t if flag in state.engines]
    engines = ", ".join(name.removeprefix("ZES_ENGINE_TYPE_FLAG_").lower() for name in names)
    return ProcessSample(state.processId, name, state.memSize, engines or "-")


def rates(before: TileSample, now: TileSample) -> TileRates:
    """Returns the activity of a tile between two samples."""
    time = max(now.time - before.time, 1)
    busy = now.compute - before.compute + now.copy - before.copy
    moved = None if now.traffic is None or before.traffic is None else (now.traffic - before.traffic) / time * 1e6
    return TileRates(
        (now.compute - before.compute) / time,
        (now.copy - before.copy) / time,
        (now.energy - before.energy) / busy if busy else 0.0,
        moved,
    )
