"""The garbage collector waits while kernels are compiled, and goes on afterwards."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest

from passes.pipelines import compile_to_kernels
from passes.support.collection import collection_paused
from tests.unit.passes.kernels.growing import straight
from xegpu.diagnostics import CompileError
from xegpu.targets import PVC


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    yield
    gc.enable()


def test_the_collector_waits_until_the_last_context_ends() -> None:
    with collection_paused():
        with collection_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_contexts_of_several_threads_overlap() -> None:
    begun, leave = threading.Event(), threading.Event()

    def other() -> None:
        with collection_paused():
            begun.set()
            leave.wait(10)

    thread = threading.Thread(target=other)
    with collection_paused():
        thread.start()
        assert begun.wait(10)
    assert not gc.isenabled()
    leave.set()
    thread.join()
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    with collection_paused():
        pass
    assert not gc.isenabled()


def test_no_collection_happens_in_a_compilation() -> None:
    happened: list[str] = []
    compile_to_kernels(straight(10), PVC)
    gc.collect()
    gc.callbacks.append(lambda phase, _: happened.append(phase))
    try:
        before = gc.get_threshold()
        gc.set_threshold(100)
        gc.collect()
        happened.clear()
        with collection_paused():
            compile_to_kernels(straight(40), PVC)
            assert not happened
        gc.set_threshold(*before)
    finally:
        gc.callbacks.pop()


def test_the_collector_goes_on_after_an_error() -> None:
    with pytest.raises(CompileError):
        compile_to_kernels("gpu.module @m {", PVC)
    assert gc.isenabled()
