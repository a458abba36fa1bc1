"""Streams and events: work that goes on while the host does something else."""

from __future__ import annotations

import gc
import itertools
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from runtime import Device, Event, Kernel, LaunchError, LaunchResult, PendingLaunch, Stream, ZeError
from runtime.api.timeout import nanoseconds
from runtime.ze.driver.system.machine import FOREVER
from tests.unit.runtime.api.test_kernel import COPY, copy
from tests.unit.runtime.ze.kernels import EMPTY, WIDE, fault


@pytest.fixture(autouse=True)
def no_thread_is_left(device: Device) -> Iterator[None]:
    """Closing the device ends all threads that its streams have started."""
    before = set(threading.enumerate())
    yield
    device.close()
    assert set(threading.enumerate()) <= before


@pytest.fixture
def stream(device: Device) -> Stream:
    return device.stream()


@pytest.fixture
def gate(device: Device) -> Event:
    return device.event()


class TestLaunch:
    def test_returns_at_once(self, stream: Stream, gate: Event, make_kernel: Callable[..., Kernel]) -> None:
        pending = make_kernel(EMPTY)[2, 3](stream=stream, after=[gate])
        assert isinstance(pending, PendingLaunch)
        assert not pending.is_done
        assert "not done" in repr(pending)
        with pytest.raises(TimeoutError, match=r"kernel 'empty' is not done after 0\.01 seconds"):
            pending.wait(0.01)
        assert not stream.synchronize(0.0)
        gate.signal()
        assert pending.wait() == LaunchResult("empty", (2, 3, 1), (1, 1, 1), 7, 3, 6, 0.5)
        assert pending.is_done
        assert stream.synchronize(10)

    def test_in_order(self, device: Device, stream: Stream, make_kernel: Callable[..., Kernel]) -> None:
        kernel = make_kernel(COPY, copy)
        buffers = [device.array(np.arange(16, dtype=np.float32)), *(device.empty(16) for _ in range(10))]
        for source, target in itertools.pairwise(buffers):
            kernel[1](source, target, stream=stream)
        stream.synchronize()
        assert buffers[-1].numpy().tolist() == list(range(16))

    def test_buffers_are_kept(self, device: Device, stream: Stream, gate: Event, make_kernel) -> None:
        """What a launch uses lives until it is done, and no longer."""
        memory = device.empty(1).session.context.machine.memory
        target = device.empty(16, memory="shared")
        make_kernel(COPY, copy)[1](device.array(np.ones(16, np.float32)), target, stream=stream, after=[gate])
        gc.collect()
        gate.signal()
        stream.synchronize()
        assert target.numpy().tolist() == [1] * 16
        gc.collect()
        target.free()
        device.synchronize()  # the next call works off what finalizers have noted
        assert memory.nearest(0) is None

    def test_no_arrays_of_the_host(self, stream: Stream, make_kernel: Callable[..., Kernel]) -> None:
        array = np.zeros(16, np.float32)
        with pytest.raises(LaunchError, match=r"argument 'source': a launch on a stream takes no arrays .*shared"):
            make_kernel(COPY)[1](array, array, stream=stream)

    @pytest.mark.parametrize(
        ("options", "text"),
        [
            ({"stream": "fast"}, "'fast' is not a stream"),
            ({"after": [1]}, r"after \[1\], expected a list of events"),
            ({"after": "x"}, "after 'x', expected a list of events"),
            ({"signal": 3}, "3 is not an event to signal"),
        ],
    )
    def test_what_is_no_stream_or_event(self, make_kernel, options: dict[str, object], text: str) -> None:
        with pytest.raises(LaunchError, match=f"kernel 'empty': {text}"):
            make_kernel(EMPTY)[1](**options)

    def test_one_event_is_no_list(self, make_kernel, gate: Event) -> None:
        with pytest.raises(LaunchError, match="expected a list of events"):
            make_kernel(EMPTY)[1](after=gate)

    def test_of_another_device(self, make_kernel: Callable[..., Kernel]) -> None:
        with Device("pvc") as other, pytest.raises(LaunchError, match="is of another device"):
            make_kernel(EMPTY)[1](stream=other.stream())

    def test_events_of_launches_that_wait(self, device: Device, gate: Event, make_kernel) -> None:
        done = device.event()
        thread = threading.Timer(0.01, gate.signal)
        thread.start()
        make_kernel(EMPTY)[1](after=[gate], signal=done)
        assert gate.is_signaled and done.is_signaled
        thread.join()


class TestCommands:
    def test_copies(self, device: Device, stream: Stream) -> None:
        source, buffer, target = np.arange(6).reshape(2, 3), device.empty((2, 3), np.int64), np.zeros((2, 3), np.int64)
        other = device.empty((2, 3), np.int64)
        stream.copy(buffer, source)
        stream.copy(other, buffer)
        stream.copy(target, other)
        stream.synchronize()
        assert np.array_equal(source, target)

    @pytest.mark.parametrize("dtype", [np.float32, np.int8, np.complex64, np.bool_])
    def test_fill(self, device: Device, stream: Stream, dtype) -> None:
        buffer = device.empty((3, 5), dtype)
        stream.fill(buffer, 1)
        stream.synchronize()
        assert np.array_equal(buffer.numpy(), np.ones((3, 5), dtype))

    def test_mismatches(self, device: Device, stream: Stream) -> None:
        buffer = device.empty(4)
        with pytest.raises(ValueError, match=r"float64 elements of shape \(4,\) to float32 ones of \(4,\)"):
            stream.copy(buffer, np.zeros(4))
        with pytest.raises(ValueError, match="not contiguous"):
            stream.copy(buffer, np.zeros(8, np.float32)[::2])
        with Device("pvc") as other, pytest.raises(ValueError, match="of another device"):
            stream.copy(buffer, other.empty(4))

    def test_streams_wait_for_each_other(self, device: Device) -> None:
        first, second, event = device.stream(), device.stream(), device.event()
        source, target = device.empty(4, np.int32), device.empty(4, np.int32)
        second.copy(target, source, after=[event])
        first.fill(source, 3, signal=event)
        second.synchronize()
        assert target.numpy().tolist() == [3] * 4

    def test_wait_signal_reset(self, stream: Stream, device: Device, gate: Event) -> None:
        done = device.event()
        stream.wait(gate)
        stream.signal(done)
        stream.reset(gate)
        assert not done.wait(0.01)
        gate.signal()
        assert done.wait(10)
        stream.synchronize()
        assert not gate.is_signaled


class TestLifetime:
    def test_with_waits(self, device: Device) -> None:
        buffer = device.empty(4)
        with device.stream() as stream:
            stream.fill(buffer, 2)
        assert not stream.is_open
        assert "closed" in repr(stream)
        assert buffer.numpy().tolist() == [2] * 4
        with pytest.raises(ValueError, match="closed> is used"):
            stream.fill(buffer, 3)
        with pytest.raises(ValueError, match="closed> is used"):
            stream.synchronize()
        stream.close()

    def test_an_exception_does_not_wait(self, device: Device, gate: Event) -> None:
        stream = device.stream()

        def fail() -> None:
            with stream:
                stream.wait(gate)
                raise RuntimeError("mine")

        with pytest.raises(RuntimeError, match="mine"):
            fail()
        assert not stream.is_open

    def test_closing_drops_what_has_not_begun(self, device: Device, stream: Stream, gate: Event, make_kernel) -> None:
        pending = make_kernel(EMPTY)[1](stream=stream, after=[gate])
        stream.close()
        with pytest.raises(ZeError, match=r"INVALID_ARGUMENT: .* was closed: .* dropped"):
            pending.wait()

    def test_device(self, make_kernel, device: Device, gate: Event) -> None:
        """Closing frees all, in whatever state it is, and closing again does nothing."""
        buffer, stream, kernel = device.empty(4), device.stream(), make_kernel(EMPTY)
        kernel[1](stream=stream, after=[gate])
        context = buffer.session.context
        device.close()
        device.close()
        assert "closed" in repr(device)
        assert "freed" in repr(buffer)
        assert not context.alive and not context.children
        assert context.machine.memory.nearest(0) is None
        buffer.free()
        stream.close()
        with pytest.raises(ZeError):
            device.empty(4)
        with pytest.raises(ZeError):
            kernel[1]()
        del buffer, stream, kernel, gate
        gc.collect()

    def test_with_device(self) -> None:
        with Device("arc") as device:
            assert device.properties.name.startswith("Intel(R) Arc")
            assert device.compute_properties.maxTotalGroupSize > 0
            device.synchronize()
        assert "closed" in repr(device)


class TestFaults:
    def test_are_reported_once(self, device: Device, stream: Stream, make_kernel) -> None:
        """By whoever waits next; then the device works again."""

        def break_down(*_: object) -> None:
            raise fault("wide")

        broken, empty = make_kernel(WIDE, break_down), make_kernel(EMPTY)
        first, second = broken[1, (16,)](stream=stream), empty[1](stream=stream)
        with pytest.raises(ZeError, match=r"DEVICE_LOST: out-of-bounds access in kernel 'wide'"):
            stream.synchronize()
        for pending in (first, second):
            with pytest.raises(ZeError, match="out-of-bounds access"):
                pending.wait()
        assert empty[1](stream=stream).wait().kernel == "empty"
        assert empty[1]().kernel == "empty"

    def test_of_a_launch_that_is_waited_for(self, stream: Stream, make_kernel) -> None:
        def break_down(*_: object) -> None:
            raise fault("wide")

        with pytest.raises(ZeError, match="out-of-bounds access"):
            make_kernel(WIDE, break_down)[1, (16,)](stream=stream).wait()

    def test_device_synchronize(self, device: Device, stream: Stream, make_kernel) -> None:
        def break_down(*_: object) -> None:
            raise fault("wide")

        make_kernel(WIDE, break_down)[1, (16,)](stream=stream)
        with pytest.raises(ZeError, match="out-of-bounds access"):
            device.synchronize()
        device.synchronize()


class TestEvents:
    def test_states(self, gate: Event) -> None:
        assert not gate.is_signaled
        assert not gate.wait(0)
        gate.signal()
        assert gate.is_signaled and gate.wait()
        gate.reset()
        assert not gate.is_signaled

    def test_time(self, device: Device, stream: Stream, make_kernel) -> None:
        event = device.event(timed=True)
        with pytest.raises(ZeError, match="NOT_READY"):
            _ = event.seconds
        make_kernel(EMPTY)[1](stream=stream, signal=event)
        assert event.wait(10)
        assert 0 < event.seconds < 10

    def test_no_time(self, gate: Event) -> None:
        with pytest.raises(ZeError, match="INVALID_SYNCHRONIZATION_OBJECT"):
            _ = gate.seconds

    def test_are_destroyed_with_the_last_reference(self, device: Device) -> None:
        context = device.empty(1).session.context
        event = device.event()
        assert any(child.noun == "event pool" for child in context.children)
        del event
        gc.collect()
        device.synchronize()  # the next call works off what finalizers have noted
        assert not any(child.noun == "event pool" for child in context.children)


class TestTimeouts:
    @pytest.mark.parametrize(("seconds", "expected"), [(None, FOREVER), (0, 0), (1.5, 1_500_000_000)])
    def test_values(self, seconds: float | None, expected: int) -> None:
        assert nanoseconds(seconds) == expected

    def test_very_long_ones_end(self) -> None:
        assert nanoseconds(1e15) == FOREVER - 1
        assert nanoseconds(float("inf")) == FOREVER

    @pytest.mark.parametrize("seconds", [-1, float("nan")])
    def test_no_such_time(self, seconds: float) -> None:
        with pytest.raises(ValueError, match="a time-out of"):
            nanoseconds(seconds)
