"""Drivers with their devices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from runtime import simulator
from runtime.debuggee import debugged_program, wait_for_debugger
from runtime.simulator import checks as checking, profile
from runtime.ze.driver.handle import Handle
from runtime.ze.driver.system.device import Device, SimulatorFactory
from runtime.ze.driver.system.hierarchy import ALL_DEVICES, DeviceSelection, Hierarchy, kept_tiles
from runtime.ze.driver.system.machine import Machine
from runtime.ze.spec.structs import ze_pci_address_ext_t
from xegpu.on_demand import import_names
from xegpu.targets import Target

if TYPE_CHECKING:
    from runtime.simulator import Memory, ProgressMaker, Simulator
    from runtime.simulator.interpreter import Observer


class Driver(Handle):
    """A driver and its devices, which share `memory` and can access each other's.

    Args:
        targets: The cards: one of each target.
        make_simulator: Makes the simulator of a card.
        make_memory: Makes the memory of all devices.
        selection: The cards and tiles that are visible, and what a device is.
        shared_on_device: True if shared allocations take room in device memory.
    """

    noun: ClassVar[str] = "driver"

    def __init__(
        self,
        targets: Sequence[Target],
        make_simulator: SimulatorFactory,
        make_memory: Callable[[], Memory] | None = None,
        *,
        selection: DeviceSelection = ALL_DEVICES,
        shared_on_device: bool = False,
    ) -> None:
        super().__init__()
        self.machine = Machine(make_memory or _memory)
        self.shared_on_device = shared_on_device
        self.devices = tuple(self._devices(targets, make_simulator, selection))

    def _devices(
        self, targets: Sequence[Target], make_simulator: SimulatorFactory, selection: DeviceSelection
    ) -> Iterator[Device]:
        addresses = [_address(target, targets[:index].count(target)) for index, target in enumerate(targets)]
        cards = sorted(zip(addresses, targets, strict=True), key=_bus) if selection.by_address else None
        placed = cards or list(zip(addresses, targets, strict=True))
        kept = kept_tiles(selection, [target.tiles for _, target in placed])
        for (address, target), tiles in zip(placed, kept, strict=True):
            if not tiles:
                continue
            card = Device(self, self.machine, target, make_simulator, address, tiles)
            if selection.hierarchy is Hierarchy.COMPOSITE or not card.tiles:
                yield card
                continue
            for tile in card.tiles:
                if selection.hierarchy is Hierarchy.FLAT:
                    tile.stand_alone()
                yield tile


def _memory() -> Memory:
    return simulator.Memory()


def _address(target: Target, number: int) -> ze_pci_address_ext_t:
    """Returns the address of the card of a target with a number, each of which is on the bus behind the one before."""
    return ze_pci_address_ext_t(0, target.pci_bus + number, 0, 0)


def _bus(card: tuple[ze_pci_address_ext_t, Target]) -> int:
    return card[0].bus


def simulated_driver(
    targets: Sequence[Target],
    engine: str | None = None,
    threads: int | None = None,
    observers: Sequence[Observer] = (),
    *,
    checks: str | Iterable[str] | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    progress: ProgressMaker | None = None,
    selection: DeviceSelection = ALL_DEVICES,
    shared_on_device: bool = False,
) -> Driver:
    """Returns a driver of its own, apart from the one that `zeInit` makes: with other devices, another engine, or its
    own memory.

    Limits that are not given are as `runtime.simulator.supervision.limits` says. In an environment that makes programs
    debuggable, all engines are the interpreter.

    Args:
        targets: The cards.
        engine: `jit` or `interpreter`; by default the interpreter for `checks` that watch instructions, else the
            JIT.
        threads: The number of host threads that execute work-groups; by default one for each core.
        observers: Observers of the interpreter.
        checks: Names as `runtime.simulator.checks.Check` has them, in a list or separated by commas; by default
            those in the environment variable `XEGPU_CHECKS`.
        time_limit: Seconds that a launch may take.
        memory_limit: Bytes that live allocations may take together.
        progress: Shows the progress of long launches.
        selection: The cards and tiles that are visible, and what a device is.
        shared_on_device: True if shared allocations take room in device memory.

    Raises:
        ValueError: The engine does not exist or cannot be observed, a check is unknown, or a limit is impossible.
    """
    selected = checking.choose_checks(checks)
    debugged = debugged_program()
    chosen = checking.choose_engine(engine, selected) if debugged is None else simulator.OBSERVABLE
    watching = (*observers, *checking.observers_of(selected), *(() if debugged is None else (debugged,)))
    simulator.require_engine(chosen, watching)
    limits = simulator.choose_limits(threads, time_limit, memory_limit)
    shown = progress or simulator.default_progress()

    def make_simulator(target: Target, memory: Memory) -> Simulator:
        for package in (simulator, profile):  # a launch in a finalizer at exit cannot import any more
            import_names(package)
        return simulator.Simulator(
            target,
            memory,
            engine=chosen,
            threads=limits.threads,
            observers=watching,
            instruction_limit=limits.instructions,
            time_limit=limits.seconds,
            progress=shown,
        )

    def make_memory() -> Memory:
        return checking.checking_memory(selected, limits.memory)

    driver = Driver(
        targets,
        make_simulator,
        make_memory,
        selection=selection,
        shared_on_device=shared_on_device,
    )
    if debugged is not None:
        driver.machine.debugged = debugged
        for device in driver.devices:
            debugged.has_card(device.board_name, driver.machine.memory)
        wait_for_debugger(debugged)
    return driver
