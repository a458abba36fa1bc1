"""Devices, buffers and modules of the Python API."""

import gc
import os
import subprocess
import sys
from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest

import runtime
from runtime import Device, ZeError, devices
from tests.paths import ROOT
from tests.structure import offered
from tests.unit.runtime.ze import kernels
from xegpu.diagnostics import CompileError


class TestDevice:
    def test_names(self) -> None:
        assert Device().name == "pvc"
        assert Device().engine == "jit"
        assert Device("arc", engine="interpreter", threads=1).target.title.startswith("Intel(R) Arc")
        assert "pvc" in repr(Device())

    @pytest.mark.parametrize(
        ("arguments", "text"),
        [({"name": "h100"}, "pvc, arc"), ({"engine": "steam"}, "jit, interpreter"), ({"threads": 0}, "0 host threads")],
    )
    def test_no_such_device(self, arguments: dict[str, object], text: str) -> None:
        with pytest.raises(ValueError, match=text):
            Device(**arguments)

    def test_public_names(self) -> None:
        for name in offered("runtime"):
            assert getattr(runtime, name).__name__ == name
        with pytest.raises(AttributeError, match="no attribute 'Driver'"):
            _ = runtime.Driver

    def test_loading_needs_no_compiler(self) -> None:
        """A process that only loads and runs binaries never imports the passes."""
        program = "import sys, runtime; runtime.Device; print('passes' in sys.modules, 'xdsl' in sys.modules)"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
        assert done.stdout == "False False\n"


class TestDevices:
    @pytest.mark.sampled(every=3)
    def test_of_the_process(self) -> None:
        """As the driver shows them; each is a session of its own, which is closed when nothing is left of it."""
        found = devices()
        assert [device.name for device in found] == ["pvc", "arc"]
        buffer = found[1].array(np.arange(4))
        context = buffer.session.context
        del found
        gc.collect()
        assert buffer.numpy().tolist() == [0, 1, 2, 3]
        del buffer
        gc.collect()
        devices()  # the next call works off what finalizers have noted
        assert not context.alive

    def test_environment(self) -> None:
        program = "import runtime; print([device.properties.subdeviceId for device in runtime.devices()])"
        environment = os.environ | {"ZE_AFFINITY_MASK": "1,0", "ZE_FLAT_DEVICE_HIERARCHY": "COMBINED"}
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, env=environment)
        assert done.stdout == "[0, 1]\n"


class TestModule:
    def test_from_bytes_and_from_a_file(self, device: Device, tmp_path) -> None:
        data = kernels.binary(kernels.COPY, kernels.EMPTY)
        path = tmp_path / "kernels.zebin"
        path.write_bytes(data)
        for source in (data, path, str(path)):
            module = device.load(source)
            assert list(module) == ["copy", "empty"]
            assert len(module) == 2
            assert module.binary == data
            assert repr(module) == "<Module: 'copy', 'empty'>"

    def test_no_such_kernel(self, device: Device) -> None:
        module = device.load(kernels.binary(kernels.COPY, kernels.EMPTY))
        with pytest.raises(KeyError, match="no kernel 'gemm', the module has: copy, empty"):
            module["gemm"]
        assert "gemm" not in module

    def test_broken_binary(self, device: Device, tmp_path) -> None:
        with pytest.raises(ZeError, match="INVALID_NATIVE_BINARY"):
            device.load(b"\x7fELF")
        with pytest.raises(FileNotFoundError):
            device.load(tmp_path / "missing.zebin")

    @pytest.mark.sampled(every=3)
    def test_is_unloaded_with_the_last_kernel(self, device: Device) -> None:
        """A kernel keeps its module alive, and nothing else does."""
        kernel = device.load(kernels.binary(kernels.EMPTY))["empty"]
        context = device.empty(1).session.context
        gc.collect()
        assert sum(child.noun == "module" for child in context.children) == 1
        kernel[1]()
        del kernel
        gc.collect()
        assert not any(child.noun == "module" for child in context.children)


class TestBuffer:
    @pytest.mark.parametrize("dtype", [np.float32, np.int8, np.bool_, ml_dtypes.bfloat16])
    @pytest.mark.parametrize("shape", [(), (0,), (5,), (3, 4, 5)])
    def test_contents_come_back(self, device: Device, shape: tuple[int, ...], dtype) -> None:
        values = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
        buffer = device.array(values)
        assert (buffer.shape, buffer.dtype, buffer.nbytes) == (shape, np.dtype(dtype), values.nbytes)
        back = buffer.numpy()
        assert back.dtype == values.dtype
        assert np.array_equal(back, values)

    def test_is_a_copy_both_ways(self, device: Device) -> None:
        values = np.zeros(4)
        buffer = device.array(values)
        values[:] = 1
        buffer.numpy()[:] = 2
        assert buffer.numpy().tolist() == [0] * 4

    def test_strided_values(self, device: Device) -> None:
        values = np.arange(12).reshape(3, 4)
        assert np.array_equal(device.array(values.T).numpy(), values.T)
        assert np.array_equal(device.array(values[:, ::-2]).numpy(), values[:, ::-2])

    def test_write(self, device: Device) -> None:
        buffer = device.empty((2, 3), np.int32)
        buffer.write([[1, 2, 3], [4, 5, 6]])
        assert buffer.numpy().tolist() == [[1, 2, 3], [4, 5, 6]]
        with pytest.raises(ValueError, match=r"shape \(3,\) for a buffer of shape \(2, 3\)"):
            buffer.write([1, 2, 3])

    def test_addresses_are_aligned(self, device: Device) -> None:
        assert all(device.empty(3, np.int8).address % 64 == 0 for _ in range(5))

    def test_free(self, device: Device) -> None:
        buffer = device.empty(4)
        buffer.free()
        buffer.free()
        assert "freed" in repr(buffer)
        with pytest.raises(ValueError, match="freed"):
            buffer.numpy()

    def test_is_freed_with_the_last_reference(self, device: Device) -> None:
        memory = device.empty(1).session.context.machine.memory
        gc.collect()
        device.synchronize()  # the next call works off what finalizers have noted
        assert memory.nearest(0) is None

    def test_too_large(self, device: Device) -> None:
        with pytest.raises(ZeError, match="UNSUPPORTED_SIZE"):
            device.empty(1 << 40, np.int8)


class TestCompile:
    def test_text_goes_through_a_binary(self, device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
        """The compiler hands over bytes; target and file name reach it."""
        import runtime.mux

        calls = []

        def compile_source(*arguments: object) -> bytes:
            calls.append(arguments)
            return kernels.binary(kernels.EMPTY)

        monkeypatch.setattr(runtime.mux, "compile_source", compile_source)
        assert list(device.compile("gpu.module {}", "kernel.mlir")) == ["empty"]
        assert list(device.compile("kernel", language="opencl", options=["-DX"])) == ["empty"]
        assert calls == [
            ("gpu.module {}", "pvc", "kernel.mlir", None, (), "xegpu"),
            ("kernel", "pvc", "<string>", "opencl", ["-DX"], "xegpu"),
        ]

    @pytest.mark.parametrize("form", [bytes, bytearray, memoryview])
    def test_bytes_are_spirv(self, device: Device, form: Callable[[bytes], bytes | bytearray | memoryview]) -> None:
        data = form((ROOT / "tests/corpus/spirv/integers.ocloc.spv").read_bytes())
        assert set(device.compile(data)) == set(device.compile(data, language="spirv")) != set()

    def test_bytes_of_other_languages(self, device: Device) -> None:
        with pytest.raises(ValueError, match="bytes are SPIR-V, which has no options, got opencl -DX"):
            device.compile(b"kernel", language="opencl", options=["-DX"])
        with pytest.raises(CompileError, match="word 0"):
            device.compile(b"kernel void k() {}")
