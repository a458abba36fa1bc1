"""Devices whose kernels are Python functions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runtime import Device, Kernel
from runtime.simulator import Memory
from tests.unit.runtime.ze.kernels import Behaviour, ScriptedSimulator, binary
from xegpu.isa import CompiledKernel
from xegpu.targets import Target


@pytest.fixture
def simulators(monkeypatch: pytest.MonkeyPatch) -> list[ScriptedSimulator]:
    """The simulators of the devices that the test makes, all of them scripted."""
    made: list[ScriptedSimulator] = []

    def make(target: Target, memory: Memory, engine: str, threads: int | None, **options: object) -> ScriptedSimulator:
        made.append(ScriptedSimulator(target, memory))
        return made[-1]

    monkeypatch.setattr("runtime.simulator.Simulator", make)
    return made


@pytest.fixture
def device(simulators: list[ScriptedSimulator]) -> Device:
    return Device("pvc")


@pytest.fixture
def make_kernel(device: Device, simulators: list[ScriptedSimulator]) -> Callable[..., Kernel]:
    """Loads a kernel on the device; launches call `behaviour` if one is given."""

    def load(compiled: CompiledKernel, behaviour: Behaviour | None = None) -> Kernel:
        kernel = device.load(binary(compiled))[compiled.name]
        if behaviour is not None:
            simulators[0].behaviours[compiled.name] = behaviour
        return kernel

    return load
