"""Buffers the host can see, and how other libraries see them."""

from __future__ import annotations

import gc

import ml_dtypes
import numpy as np
import pytest

from runtime import Buffer, Device, MemoryKind
from tests.unit.runtime.api.test_kernel import COPY, copy

HOST_VISIBLE = ["host", "shared"]


class Tensor:
    """An array of another library: it speaks DLPack and nothing else."""

    def __init__(self, array: np.ndarray, device: tuple[int, int] = (1, 0)) -> None:
        self.array = array
        self.device = device

    def __dlpack__(self, **options: object) -> object:
        if self.device != (1, 0):
            raise BufferError("this memory is on another device")
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device


@pytest.mark.parametrize("memory", [kind.value for kind in MemoryKind])
class TestAnyMemory:
    @pytest.mark.parametrize("dtype", [np.float32, np.int8, np.bool_, np.complex64, ml_dtypes.bfloat16])
    @pytest.mark.parametrize("shape", [(), (0,), (5,), (2, 0, 3), (3, 4, 5)])
    def test_contents_come_back(self, device: Device, memory: str, shape: tuple[int, ...], dtype) -> None:
        values = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
        buffer = device.array(values, memory=memory)
        assert buffer.memory is MemoryKind(memory)
        for back in (buffer.numpy(), np.asarray(buffer), np.array(buffer)):
            assert back.dtype == values.dtype
            assert np.array_equal(back, values)

    def test_kernels_take_it(self, device: Device, memory: str, make_kernel) -> None:
        source = device.array(np.arange(16, dtype=np.float32), memory=memory)
        target = device.empty(16, memory=memory)
        make_kernel(COPY, copy)[1](source, target)
        assert target.numpy().tolist() == list(range(16))

    def test_with(self, device: Device, memory: str) -> None:
        with device.empty(4, memory=memory) as buffer:
            buffer.write(np.ones(4))
        assert "freed" in repr(buffer)
        with pytest.raises(ValueError, match="freed"):
            buffer.numpy()
        with pytest.raises(ValueError, match="freed"):
            np.asarray(buffer)

    def test_dtype_and_copy(self, device: Device, memory: str) -> None:
        buffer = device.array(np.arange(4), memory=memory)
        assert np.asarray(buffer, np.float64).dtype == np.float64
        copied = np.array(buffer, copy=True)
        copied[:] = 7
        assert buffer.numpy().tolist() == [0, 1, 2, 3]

    def test_length(self, device: Device, memory: str) -> None:
        assert len(device.empty((3, 4), memory=memory)) == 3
        assert device.empty((3, 4), memory=memory).size == 12
        with pytest.raises(TypeError, match="no length"):
            len(device.empty((), memory=memory))


@pytest.mark.parametrize("memory", HOST_VISIBLE)
class TestHostVisible:
    def test_numpy_is_in_place(self, device: Device, memory: str) -> None:
        buffer = device.array(np.zeros(4), memory=memory)
        view = buffer.numpy()
        assert view.ctypes.data == buffer.address
        view[1] = 5
        assert np.asarray(buffer).tolist() == [0, 5, 0, 0]
        buffer.write(np.ones(4))
        assert view.tolist() == [1, 1, 1, 1]

    def test_array_interface(self, device: Device, memory: str) -> None:
        buffer = device.array(np.zeros((2, 3), np.float32), memory=memory)
        interface = buffer.__array_interface__
        assert interface["data"] == (buffer.address, False)
        assert interface["shape"] == (2, 3)
        assert np.shares_memory(np.asarray(buffer), buffer.numpy())

    def test_dlpack(self, device: Device, memory: str) -> None:
        buffer = device.array(np.zeros((2, 3), np.float32), memory=memory)
        assert buffer.__dlpack_device__() == (1, 0)
        seen = np.from_dlpack(buffer)
        assert np.shares_memory(seen, buffer.numpy())
        apart = np.from_dlpack(buffer, copy=True)
        assert not np.shares_memory(apart, buffer.numpy())

    def test_arrays_outlive_the_buffer(self, device: Device, memory: str) -> None:
        buffer = device.array(np.arange(1000), memory=memory)
        arrays = [buffer.numpy(), np.asarray(buffer), np.from_dlpack(buffer)]
        del buffer
        gc.collect()
        device.array(np.full(1000, -1), memory=memory)
        assert all(array.tolist() == list(range(1000)) for array in arrays)

    def test_views_go_to_kernels(self, device: Device, memory: str, make_kernel) -> None:
        """A part of a buffer is used where it is."""
        buffer = device.array(np.arange(32, dtype=np.float32), memory=memory)
        make_kernel(COPY, copy)[1](buffer.numpy()[:16], buffer.numpy()[16:])
        assert buffer.numpy().tolist() == [*range(16), *range(16)]


class TestDeviceMemory:
    def test_is_not_seen_in_place(self, device: Device) -> None:
        buffer = device.array(np.arange(4))
        assert not hasattr(buffer, "__array_interface__")
        with pytest.raises(ValueError, match="without a copy"):
            np.array(buffer, copy=False)
        with pytest.raises(BufferError, match="other libraries cannot access"):
            buffer.__dlpack__()
        with pytest.raises(BufferError, match="without a copy"):
            buffer.__dlpack__(dl_device=(1, 0), copy=False)

    def test_dlpack_copies_for_the_cpu(self, device: Device) -> None:
        buffer = device.array(np.arange(4))
        assert buffer.__dlpack_device__() == (14, 0)
        assert np.from_dlpack(buffer, device="cpu").tolist() == [0, 1, 2, 3]


class TestArguments:
    @pytest.mark.parametrize("memory", ["space", "", "DEVICE"])
    def test_no_such_memory(self, device: Device, memory: str) -> None:
        with pytest.raises(ValueError, match="is not a valid MemoryKind"):
            device.empty(4, memory=memory)

    @pytest.mark.parametrize("dtype", [object, ">f4"])
    def test_no_such_elements(self, device: Device, dtype) -> None:
        with pytest.raises(ValueError, match="which a device cannot use"):
            device.empty(4, dtype)

    def test_no_such_shape(self, device: Device) -> None:
        with pytest.raises(ValueError, match=r"a buffer of shape \(2, -1\)"):
            device.empty((2, -1))
        with pytest.raises(TypeError):
            device.empty(2.5)

    def test_numpy_integers_are_extents(self, device: Device) -> None:
        assert device.empty(np.int64(3)).shape == (3,)
        assert device.empty((np.int32(2), 3)).shape == (2, 3)

    def test_write_takes_buffers(self, device: Device) -> None:
        source, target = device.array(np.arange(4)), device.empty(4, np.int64)
        target.write(source)
        assert target.numpy().tolist() == [0, 1, 2, 3]


class TestFromOthers:
    def test_from_dlpack(self, device: Device) -> None:
        buffer = device.from_dlpack(Tensor(np.arange(6).reshape(2, 3)), memory="shared")
        assert isinstance(buffer, Buffer)
        assert buffer.numpy().tolist() == [[0, 1, 2], [3, 4, 5]]

    def test_kernels_take_them_in_place(self, make_kernel) -> None:
        source, target = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
        make_kernel(COPY, copy)[1](Tensor(source), Tensor(target))
        assert np.array_equal(source, target)

    def test_of_another_device(self, make_kernel) -> None:
        kernel = make_kernel(COPY, copy)
        array = np.zeros(16, np.float32)
        with pytest.raises(TypeError, match=r"argument 0 \('source'\): expected memref<16xf32>, got Tensor: .*device"):
            kernel[1](Tensor(array, (2, 0)), array)
