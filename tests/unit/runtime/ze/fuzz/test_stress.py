"""The suite's share of the stress, plain and with all layers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from runtime import ze, zet
from runtime.ze import layers
from runtime.ze.driver.handle import Handle
from runtime.ze.layers import Layers
from runtime.ze.layers.validation import ValidationCheck
from tests.unit.runtime.ze.fuzz.chaos import chaos
from tests.unit.runtime.ze.fuzz.stress import THREADS, stress


@pytest.fixture
def all_layers() -> Iterator[None]:
    before = layers.active()
    layers.install(Layers(tracing=True, checks=frozenset(ValidationCheck)))
    yield
    layers.install(before)


def test_threads() -> None:
    stress(20)


@pytest.mark.usefixtures("all_layers")
def test_threads_under_all_layers() -> None:
    """Nothing that the threads do is wrong, and tracers see all of it."""
    executions = []
    tracer = zet.zelTracerCreate(zet.zel_tracer_desc_t(1))
    zet.zelTracerCommandQueueExecuteCommandListsRegisterCallback(
        tracer, zet.ZEL_REGISTER_EPILOGUE, lambda params, result, *_: executions.append(result)
    )
    zet.zelTracerSetEnabled(tracer, True)
    stress(5, seed=1)
    zet.zelTracerSetEnabled(tracer, False)
    zet.zelTracerDestroy(tracer)
    assert len(executions) == 5 * THREADS


@pytest.mark.parametrize("seed", range(8))
def test_chaos(seed: int) -> None:
    chaos(seed, 300)


def test_chaos_notices_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ze.ze_image_handle_t, "retire", Handle.retire)
    with pytest.raises(AssertionError, match=r"left: .*surface state"):
        chaos(0, 300, patience=0)
