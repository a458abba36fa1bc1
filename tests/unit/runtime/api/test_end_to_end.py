"""From MLIR text to numbers, through every layer."""

import itertools
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from runtime import Device, ZeError, ze
from runtime.api.sessions import host_memory
from tests.paths import EXAMPLES
from xegpu.targets import PVC

FILL = """
gpu.module @kernels {
  gpu.func @fill(%a: memref<?xf32>, %value: f32, %start: index) kernel {
    %group = gpu.block_id x
    %size = gpu.block_dim x
    %lane = gpu.thread_id x
    %first = arith.muli %group, %size : index
    %here = arith.addi %first, %lane : index
    %index = arith.addi %here, %start : index
    memref.store %value, %a[%index] : memref<?xf32>
    gpu.return
  }
}
"""

RUN = """
import sys
import numpy as np
from runtime import Device
a, b, c = np.arange(4096, dtype=np.float32), np.ones(4096, np.float32), np.zeros(4096, np.float32)
Device("pvc", engine="interpreter").load(sys.argv[1])["vector_add"][64](a, b, c)
assert (c == a + 1).all()
print("xdsl" in sys.modules)
"""


@pytest.fixture(params=["jit", "interpreter"])
def device(request: pytest.FixtureRequest) -> Device:
    return Device("pvc", engine=request.param)


def place(array: np.ndarray, skip: float) -> np.ndarray:
    """A copy that starts `skip` elements behind a multiple of 64 bytes."""
    room = np.zeros(array.nbytes + 128, np.uint8)
    start = -room.ctypes.data % 64 + int(skip * array.itemsize)
    placed = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    placed[...] = array
    return placed


@pytest.mark.parametrize("skip", [0, 1])
def test_vector_add(device: Device, skip: int) -> None:
    """Exact, wherever the arrays lie."""
    kernel = device.compile((EXAMPLES / "vector_add.mlir").read_text())["vector_add"]
    random = np.random.default_rng(1)
    a, b = (place(random.standard_normal(4096, np.float32), skip) for _ in range(2))
    c = place(np.zeros(4096, np.float32), skip)
    result = kernel[64](a, b, c)
    assert np.array_equal(c, a + b)
    assert (result.threads, result.groups) == (64, 64)
    assert result.instructions > 0


@pytest.mark.parametrize("skip", [0, 1])
def test_one_tile_of_the_gemm(device: Device, skip: int) -> None:
    """Sums of 256 products of bf16, in float32, within the bound of any order of summation."""
    kernel = device.compile((EXAMPLES / "gemm.mlir").read_text())["gemm"]
    random = np.random.default_rng(2)
    a, b = (place(random.standard_normal((256, 256)).astype(ml_dtypes.bfloat16), skip) for _ in range(2))
    c = place(np.full((256, 256), np.nan, np.float32), skip)
    kernel[1](a, b, c)
    wide_a, wide_b = a.astype(np.float64)[:8], b.astype(np.float64)[:, :16]
    bound = 256 * 2.0**-23 * (np.abs(wide_a) @ np.abs(wide_b))
    assert (np.abs(c[:8, :16] - wide_a @ wide_b) <= bound).all()
    assert np.isnan(c[8:]).all()
    assert np.isnan(c[:, 16:]).all()


class TestWorkItems:
    def test_dynamic_shape(self, device: Device) -> None:
        kernel = device.compile(FILL)["fill"]
        array = place(np.zeros(64, np.float32), 0)
        kernel[2, (16,)](array, 2.5, 16)
        assert array.tolist() == [0] * 16 + [2.5] * 32 + [0] * 16
        kernel[1, (5,)](array[48:], -1, 0)
        assert array[48:].tolist() == [-1] * 5 + [0] * 11

    def test_access_behind_an_array(self, device: Device) -> None:
        """It is found, although the memory behind belongs to the same program; the report names the array."""
        kernel = device.compile(FILL)["fill"]
        array = place(np.zeros(64, np.float32), 0)
        with pytest.raises(ZeError) as caught:
            kernel[1, (16,)](array[:32], 1.0, 20)
        assert caught.value.result is ze.ze_result_t.ZE_RESULT_ERROR_DEVICE_LOST
        line = FILL[: FILL.index("memref.store")].count("\n") + 1
        for text in ("out-of-bounds", "kernel 'fill'", "lane 12", "host memory 'a'", f"source: <string>:{line}:5"):
            assert text in caught.value.text
        kernel[1, (16,)](array, 1.0, 0)
        assert array[:16].tolist() == [1] * 16

    def test_memory_that_is_gone(self, device: Device) -> None:
        """Nothing keeps an array accessible after the launch it was lent to."""
        kernel = device.compile(FILL)["fill"]
        array = place(np.zeros(64, np.float32), 0)
        kernel[1, (16,)](array, 1.0, 0)
        other = device.empty(16)
        with pytest.raises(ZeError, match="use after free"):
            kernel[1, (16,)](other, 1.0, (array.ctypes.data - other.address) // 4)


def test_engines_agree_bit_for_bit() -> None:
    text = (EXAMPLES / "gemm.mlir").read_text()
    random = np.random.default_rng(3)
    a, b = (random.standard_normal((256, 256)).astype(ml_dtypes.bfloat16) for _ in range(2))
    results = []
    for engine in ("jit", "interpreter"):
        c = np.zeros((256, 256), np.float32)
        Device("pvc", engine=engine).compile(text)["gemm"][(2, 2)](a, b, c)
        results.append(c)
    assert np.array_equal(results[0].view(np.uint32), results[1].view(np.uint32))


def test_another_process_runs_the_binary(tmp_path: Path) -> None:
    """One that never imports a compiler."""
    path = tmp_path / "vector_add.zebin"
    path.write_bytes(Device("pvc").compile((EXAMPLES / "vector_add.mlir").read_text()).binary)
    command = [sys.executable, "-c", RUN, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "False\n", "")


def test_specification_names_only() -> None:
    """A program as one would write it in C: device memory, copies, a list, a queue, a fence."""
    binary = Device("pvc").compile((EXAMPLES / "vector_add.mlir").read_text()).binary
    ze.zeInit(ze.ZE_INIT_FLAG_GPU_ONLY)
    (driver,) = ze.zeDriverGet()
    device = next(device for device in ze.zeDeviceGet(driver) if "Max 1550" in ze.zeDeviceGetProperties(device).name)
    context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
    queue = ze.zeCommandQueueCreate(context, device, ze.ze_command_queue_desc_t())
    module, log = ze.zeModuleCreate(context, device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, binary))
    assert ze.zeModuleBuildLogGetString(log) == ""
    kernel = ze.zeKernelCreate(module, ze.ze_kernel_desc_t("vector_add"))
    desc, size = ze.ze_device_mem_alloc_desc_t(), 4096 * 4
    a, b, c = (ze.zeMemAllocDevice(context, desc, size, 64, device) for _ in range(3))
    for index, address in enumerate((a, b, c)):
        ze.zeKernelSetArgumentValue(kernel, index, 8, address)
    ze.zeKernelSetGroupSize(kernel, 1, 1, 1)

    values, result = np.arange(4096, dtype=np.float32), np.zeros(4096, np.float32)
    commands = ze.zeCommandListCreate(context, device, ze.ze_command_list_desc_t())
    ze.zeCommandListAppendMemoryCopy(commands, a, values, size)
    ze.zeCommandListAppendMemoryFill(commands, b, np.float32(0.5).tobytes(), 4, size)
    ze.zeCommandListAppendBarrier(commands)
    ze.zeCommandListAppendLaunchKernel(commands, kernel, ze.ze_group_count_t(64))
    ze.zeCommandListAppendBarrier(commands)
    ze.zeCommandListAppendMemoryCopy(commands, result, c, size)
    ze.zeCommandListClose(commands)
    fence = ze.zeFenceCreate(queue, ze.ze_fence_desc_t())
    ze.zeCommandQueueExecuteCommandLists(queue, [commands], fence)
    assert ze.zeFenceHostSynchronize(fence) == ze.ZE_RESULT_SUCCESS
    assert np.array_equal(result, values + np.float32(0.5))

    properties = ze.zeKernelGetProperties(kernel)
    assert (properties.numKernelArgs, properties.maxSubgroupSize) == (3, 1)
    assert properties.maxNumSubgroups == PVC.max_group_threads(128)
    ze.zeFenceDestroy(fence)
    for handle, destroy in (
        (commands, ze.zeCommandListDestroy),
        (queue, ze.zeCommandQueueDestroy),
        (kernel, ze.zeKernelDestroy),
        (module, ze.zeModuleDestroy),
    ):
        destroy(handle)
    for address in (a, b, c):
        ze.zeMemFree(context, address)
    ze.zeContextDestroy(context)


GLOBAL_IDS = """
gpu.module @kernels {
  gpu.func @items(%o: memref<64xi64>) kernel {
    %g = gpu.global_id x
    %b = gpu.block_id x
    %n = gpu.block_dim x
    %t = gpu.thread_id x
    %s = arith.muli %b, %n : index
    %i = arith.addi %s, %t : index
    %v = arith.index_cast %g : index to i64
    memref.store %v, %o[%i] : memref<64xi64>
    gpu.return
  }
  gpu.func @subgroups(%o: memref<64xi64>) kernel attributes {VectorComputeFunctionINTEL} {
    %g = gpu.global_id x
    %b = gpu.block_id x
    %n = gpu.block_dim x
    %t = gpu.thread_id x
    %s = arith.muli %b, %n : index
    %i = arith.addi %s, %t : index
    %c8 = arith.constant 8 : index
    %k = arith.muli %i, %c8 : index
    %v = arith.index_cast %g : index to i64
    %w = vector.broadcast %v : i64 to vector<8xi64>
    vector.store %w, %o[%k] : memref<64xi64>, vector<8xi64>
    gpu.return
  }
  gpu.func @groups(%o: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %g = gpu.global_id x
    %b = gpu.block_id x
    %c32 = arith.constant 32 : index
    %i = arith.muli %b, %c32 : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %first = arith.divui %g, %c4 : index
    %n = arith.index_cast %first : index to i32
    %f = arith.sitofp %n : i32 to f32
    %v = vector.broadcast %f : f32 to vector<32x32xf32>
    %d = xetile.init_tile %o[%i, %c0] : memref<64x32xf32>
      -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = <sg_layout = [4, 1], sg_data = [8, 32]>>>
    xetile.store_tile %v, %d {map = #xetile.wg_map<sg_layout = [4, 1], sg_data = [8, 32]>} : vector<32x32xf32>,
      !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = <sg_layout = [4, 1], sg_data = [8, 32]>>>
    gpu.return
  }
}
"""


def test_kernels_of_every_level_have_the_offset_of_global_ids(device: Device) -> None:
    session, module = device.session, device.compile(GLOBAL_IDS)
    outputs = {
        "items": (4, 16, (64,), np.int64),
        "subgroups": (4, 2, (64,), np.int64),
        "groups": (2, 4, (64, 32), np.float32),
    }
    found = {}
    for name, (groups, size, shape, dtype) in outputs.items():
        output, kernel = device.empty(shape, dtype, memory="shared"), module[name]._handle
        ze.zeKernelSetGroupSize(kernel, size, 1, 1)
        ze.zeKernelSetArgumentValue(kernel, 0, 8, output.address)
        ze.zeKernelSetGlobalOffsetExp(kernel, 100, 5, 6)
        ze.zeCommandListAppendLaunchKernel(session.commands, kernel, ze.ze_group_count_t(groups))
        found[name] = output.numpy().copy()
    assert found["items"].tolist() == list(range(100, 164))
    assert found["subgroups"].tolist() == np.repeat(np.arange(100, 108), 8).tolist()
    assert found["groups"][:, 0].tolist() == [25.0] * 32 + [26.0] * 32


BLOCKS = """
gpu.module @kernels {
  gpu.func @elements(%a: memref<?xf32>, %o: memref<?xf32>) kernel {
    %i = gpu.global_id x
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %o[%i] : memref<?xf32>
    gpu.return
  }
  gpu.func @blocks(%a: memref<8x64xf32>, %o: memref<8x64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %s = xegpu.create_nd_tdesc %a[%c0, %c0] : memref<8x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %s : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    %d = xegpu.create_nd_tdesc %o[%c0, %c0] : memref<8x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %v, %d : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
"""


def test_arrays_are_copied_only_where_messages_need_it(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """numpy's arrays start 16 bytes behind a multiple of 64 if they are large; elements must not be misaligned."""
    copies: list[int] = []
    room = host_memory._room
    monkeypatch.setattr(host_memory, "_room", lambda *args: copies.append(1) or room(*args))
    module, rng = device.compile(BLOCKS), np.random.default_rng(1)
    forms = (("elements", (64,), (4, (16,))), ("blocks", (8, 64), 1))
    for (name, shape, sizes), (skip, count) in itertools.product(forms, ((4, 0), (1, 0), (0.5, 2))):
        a, o = (place(rng.standard_normal(shape, np.float32), skip) for _ in range(2))
        copies.clear()
        module[name][sizes](a, o)
        assert len(copies) == count
        assert np.array_equal(o.reshape(-1, 64)[:, :16], a.reshape(-1, 64)[:, :16])
    assert [module[name]._handle.executable.pointer_alignment for name in module] == [(4, 1), (4, 64)]
