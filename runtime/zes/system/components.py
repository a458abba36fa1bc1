"""The components of a card, which are the handles of system management."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar, TypeVar
from weakref import WeakKeyDictionary

from runtime.card import Board, SettingValue
from runtime.ze.driver import Device, Handle
from runtime.zes.spec import zes_engine_group_t, zes_freq_domain_t, zes_ras_error_type_t, zes_temp_sensors_t
from runtime.zes.system.access import board, change
from xegpu.targets import Fabric


class Component(Handle):
    """A component of a card, or of one of its tiles. Components live as long as their card."""

    noun: ClassVar[str] = "component"

    def __init__(self, card: Device, tile: int | None) -> None:
        super().__init__(card)
        self.card = card
        self.tile = tile

    @property
    def board(self) -> Board:
        """The state of the card that all processes share."""
        return board(self.card)

    @property
    def onSubdevice(self) -> bool:
        """True if it is one of several of its kind, each on a tile that is a sub-device."""
        return self.tile is not None and self.card.target.tiles > 1

    @property
    def subdeviceId(self) -> int:
        """The number of the sub-device; 0 if it is on none."""
        return self.tile or 0

    @property
    def tiles(self) -> tuple[int, ...]:
        """The tiles that it is about."""
        return tuple(range(self.card.target.tiles)) if self.tile is None else (self.tile,)

    def key(self, name: str) -> str:
        """Returns the name of one of its settings."""
        return f"{self.noun}.{'card' if self.tile is None else self.tile}.{name}"

    def number(self, name: str, default: float) -> float:
        """Returns a setting that is a number."""
        return self.board.settings.number(self.key(name), default)

    def numbers(self, name: str, default: list[float]) -> list[float]:
        """Returns a setting that is a list of numbers."""
        return self.board.settings.numbers(self.key(name), default)

    def set(self, **values: SettingValue) -> None:
        """Sets some of its settings together; raises what `change` raises."""
        named = {self.key(name): value for name, value in values.items()}
        change(self.card, f"change a {self.noun}", lambda found: found.update(named))


class PowerDomain(Component):
    """The power of a card, or of a tile."""

    noun: ClassVar[str] = "power"


class FrequencyDomain(Component):
    """A clock of a tile."""

    noun: ClassVar[str] = "frequency"

    def __init__(self, card: Device, tile: int, domain: zes_freq_domain_t) -> None:
        super().__init__(card, tile)
        self.domain = domain


class EngineGroup(Component):
    """Some engines of a tile."""

    noun: ClassVar[str] = "engine"

    def __init__(self, card: Device, tile: int, group: zes_engine_group_t) -> None:
        super().__init__(card, tile)
        self.group = group


class SchedulerComponent(Component):
    """The scheduler of the engines of a tile that compute."""

    noun: ClassVar[str] = "scheduler"


class PerformanceFactor(Component):
    """The balance of a tile between computing and memory."""

    noun: ClassVar[str] = "performance factor"


class StandbyDomain(Component):
    """The standby of a tile."""

    noun: ClassVar[str] = "standby"


class MemoryModule(Component):
    """The local memory of a tile."""

    noun: ClassVar[str] = "memory"


class TemperatureSensor(Component):
    """A sensor of a tile."""

    noun: ClassVar[str] = "temperature"

    def __init__(self, card: Device, tile: int, sensor: zes_temp_sensors_t) -> None:
        super().__init__(card, tile)
        self.sensor = sensor

    def key(self, name: str) -> str:
        return f"{super().key(name)}.{self.sensor.name}"


class RasErrorSet(Component):
    """The errors of a tile that were corrected, or those that were not."""

    noun: ClassVar[str] = "RAS error set"

    def __init__(self, card: Device, tile: int, kind: zes_ras_error_type_t) -> None:
        super().__init__(card, tile)
        self.kind = kind

    def key(self, name: str) -> str:
        return f"{super().key(name)}.{self.kind.name}"


class FirmwarePart(Component):
    """A firmware of the card, by its name."""

    noun: ClassVar[str] = "firmware"

    def __init__(self, card: Device, name: str) -> None:
        super().__init__(card, None)
        self.name = name

    def key(self, name: str) -> str:
        return f"{super().key(name)}.{self.name}"


class DiagnosticSuite(Component):
    """A suite of tests of the card."""

    noun: ClassVar[str] = "diagnostics"


class FabricPort(Component):
    """A port of the fabric that could connect a tile with those of other cards."""

    noun: ClassVar[str] = "fabric port"

    def __init__(self, card: Device, tile: int, index: int) -> None:
        super().__init__(card, tile)
        self.index = index

    @property
    def fabric(self) -> Fabric:
        """The fabric that the GPU is made for."""
        assert self.card.target.fabric is not None, "others have no ports"
        return self.card.target.fabric

    def key(self, name: str) -> str:
        return f"{super().key(name)}.{self.index}"


class CardFan(Component):
    """The fan of a card that cools itself."""

    noun: ClassVar[str] = "fan"

    @property
    def most_rpm(self) -> int:
        """The highest speed, in revolutions per minute."""
        return self.card.target.power.fan_rpm


class CardLed(Component):
    """An LED. Simulated cards have none, like the PVC."""

    noun: ClassVar[str] = "LED"


class PowerSupply(Component):
    """A power supply. Simulated cards have none, like the PVC, which takes its power from the server."""

    noun: ClassVar[str] = "power supply"


class OverclockDomain(Component):
    """A domain for overclocking. Simulated cards have none, like the PVC."""

    noun: ClassVar[str] = "overclock domain"


class VirtualFunction(Component):
    """A virtual function. Simulated cards have none enabled."""

    noun: ClassVar[str] = "virtual function"


class EventHandle(Component):
    """The events of a card, as specification 0.91 lists them."""

    noun: ClassVar[str] = "events"


_GROUPS = (
    zes_engine_group_t.ZES_ENGINE_GROUP_ALL,
    zes_engine_group_t.ZES_ENGINE_GROUP_COMPUTE_ALL,
    zes_engine_group_t.ZES_ENGINE_GROUP_COPY_ALL,
    zes_engine_group_t.ZES_ENGINE_GROUP_COMPUTE_SINGLE,
    zes_engine_group_t.ZES_ENGINE_GROUP_COPY_SINGLE,
)

_SENSORS = (
    zes_temp_sensors_t.ZES_TEMP_SENSORS_GLOBAL,
    zes_temp_sensors_t.ZES_TEMP_SENSORS_GPU,
    zes_temp_sensors_t.ZES_TEMP_SENSORS_MEMORY,
)


def _tiles(card: Device) -> range:
    return range(card.target.tiles)


def _each_tile(kind: Callable[[Device, int], Component]) -> Callable[[Device], Iterator[Component]]:
    return lambda card: (kind(card, tile) for tile in _tiles(card))


def _power(card: Device) -> Iterator[Component]:
    yield PowerDomain(card, None)
    if card.target.tiles > 1:
        yield from (PowerDomain(card, tile) for tile in _tiles(card))


def _ports(card: Device) -> Iterator[Component]:
    count = 0 if card.target.fabric is None else card.target.fabric.ports
    return (FabricPort(card, tile, index) for tile in _tiles(card) for index in range(1, count + 1))


_MAKERS: Mapping[type[Component], Callable[[Device], Iterator[Component]]] = {
    PowerDomain: _power,
    FrequencyDomain: lambda card: (FrequencyDomain(card, t, kind) for t in _tiles(card) for kind in zes_freq_domain_t),
    EngineGroup: lambda card: (EngineGroup(card, tile, group) for tile in _tiles(card) for group in _GROUPS),
    SchedulerComponent: _each_tile(SchedulerComponent),
    PerformanceFactor: _each_tile(PerformanceFactor),
    StandbyDomain: _each_tile(StandbyDomain),
    MemoryModule: _each_tile(MemoryModule),
    TemperatureSensor: lambda card: (TemperatureSensor(card, tile, s) for tile in _tiles(card) for s in _SENSORS),
    RasErrorSet: lambda card: (RasErrorSet(card, tile, kind) for tile in _tiles(card) for kind in zes_ras_error_type_t),
    CardFan: lambda card: iter([CardFan(card, None)] if card.target.power.fan_rpm else []),
    FabricPort: _ports,
    FirmwarePart: lambda card: (FirmwarePart(card, name) for name in ("GFX", "OptionROM")),
    EventHandle: lambda card: iter([EventHandle(card, None)]),
    DiagnosticSuite: lambda card: iter([DiagnosticSuite(card, None)]),
}
"""The kinds of components that cards have."""

_components: WeakKeyDictionary[Device, dict[type[Component], list[Component]]] = WeakKeyDictionary()

C = TypeVar("C", bound=Component)


def components(card: Device, kind: type[C]) -> list[C]:
    """Returns the components of a kind, the same ones in each call."""
    made = _components.get(card)
    if made is None:
        made = _components.setdefault(card, {})
    found = made.get(kind)
    if found is None:
        make = _MAKERS.get(kind)
        found = made.setdefault(kind, [] if make is None else list(make(card)))
    return [component for component in found if isinstance(component, kind)]
