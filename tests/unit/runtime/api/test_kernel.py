"""Calling kernels: grids, arguments, results."""

import struct
import threading
from collections.abc import Callable
from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest

from runtime import Device, Kernel, LaunchError, LaunchResult, MissingSizeError, ZeError
from runtime.simulator import Dispatch, Memory
from tests.unit.runtime.ze.kernels import EMPTY, LOCAL, SIZED, WIDE, compiled, fault, pointer, value
from xegpu.isa import CompiledKernel

COPY = compiled(
    "copy", [pointer("source", "memref<16xf32>", 0, "readonly"), pointer("target", "memref<16xf32>", 8, "writeonly")]
)
DYNAMIC = compiled(
    "dynamic",
    [
        pointer("a", "memref<?x8x?xf32, strided<[?, ?, 1], offset: ?>>", 0),
        *(value(f"a.{name}", "index", 8 + 8 * n, 8) for n, name in enumerate(["size0", "size2", "stride0", "stride1"])),
        value("a.offset", "index", 40, 8),
        value("scale", "f32", 48, 4),
    ],
)
SCALARS = compiled(
    "scalars",
    [
        value("flag", "i1", 0, 1),
        value("small", "i8", 1, 1),
        value("half", "f16", 2, 2),
        value("brain", "bf16", 4, 2),
        value("single", "f32", 8, 4),
        value("signed", "si32", 12, 4),
        value("double", "f64", 16, 8),
        value("unsigned", "ui16", 24, 2),
        value("index", "index", 32, 8),
    ],
)


def with_facts(kernel: CompiledKernel, **facts: object) -> CompiledKernel:
    """The kernel with other facts."""
    return replace(kernel, facts=replace(kernel.facts, **facts))


LANES = with_facts(WIDE, local_id_dimensions=0)


def copy(dispatch: Dispatch, memory: Memory) -> None:
    """Does the work of COPY."""
    views = []
    for address in struct.unpack_from("<QQ", dispatch.cross_thread):
        allocation = memory.find(address)
        start = address - allocation.address
        views.append(allocation.view()[start : start + 64])
    views[1][:] = views[0]


class TestLaunch:
    def test_arrays_are_used_in_place(self, make_kernel: Callable[..., Kernel]) -> None:
        kernel = make_kernel(COPY, copy)
        a, b = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
        kernel[1](a, b)
        assert np.array_equal(a, b)

    def test_buffers(self, make_kernel: Callable[..., Kernel], device: Device) -> None:
        kernel = make_kernel(COPY, copy)
        a, b = device.array(np.arange(16, dtype=np.float32)), device.empty(16)
        kernel[1](a, b)
        assert b.numpy().tolist() == list(range(16))
        c = np.zeros(16, np.float32)
        kernel[1](b, c)
        assert c.tolist() == list(range(16))

    def test_addresses(self, make_kernel: Callable[..., Kernel], device: Device) -> None:
        """A memref of static shape takes an address, of Python's type or numpy's."""
        kernel = make_kernel(COPY, copy)
        a, b = device.array(np.arange(16, dtype=np.float32)), device.empty(16)
        kernel[1](a.address, np.uint64(b.address))
        assert b.numpy().tolist() == list(range(16))

    def test_result(self, make_kernel: Callable[..., Kernel]) -> None:
        assert make_kernel(EMPTY)[(2, 3)]() == LaunchResult("empty", (2, 3, 1), (1, 1, 1), 7, 3, 6, 0.5)

    def test_fault_is_reported_and_the_device_stays_usable(self, make_kernel: Callable[..., Kernel], device) -> None:
        def break_down(dispatch: Dispatch, memory: Memory) -> None:
            raise fault("wide")

        empty, broken = make_kernel(EMPTY), make_kernel(WIDE, break_down)
        with pytest.raises(ZeError, match=r"DEVICE_LOST: out-of-bounds access in kernel 'wide'"):
            broken[1, (16,)]()
        empty[1]()
        assert device.array([1, 2]).numpy().tolist() == [1, 2]

    def test_error_of_the_simulator_itself(self, make_kernel: Callable[..., Kernel]) -> None:
        """It reaches the caller as it is, and the next launch works."""

        def run_out_of_memory(dispatch: Dispatch, memory: Memory) -> None:
            raise MemoryError("no more")

        empty, broken = make_kernel(EMPTY), make_kernel(WIDE, run_out_of_memory)
        with pytest.raises(MemoryError, match="no more"):
            broken[1, (16,)]()
        empty[1]()

    def test_array_in_device_memory(self, make_kernel: Callable[..., Kernel], device: Device) -> None:
        """A numpy view of a buffer's own bytes is used where it is."""
        kernel, buffer, target = make_kernel(COPY, copy), device.array(np.ones(32, np.float32)), device.empty(16)
        allocation = buffer.session.context.machine.memory.find(buffer.address)
        kernel[1](np.frombuffer(allocation.view(), np.float32)[16:], target)
        assert target.numpy().tolist() == [1] * 16

    def test_many_threads(self, make_kernel: Callable[..., Kernel]) -> None:
        """Launches of one kernel from several threads do not disturb each other."""
        kernel = make_kernel(COPY, copy)
        outputs = [np.zeros(16, np.float32) for _ in range(8)]
        common = np.arange(16, dtype=np.float32)

        def work(number: int) -> None:
            for round_number in range(30):
                own = common + number + round_number
                kernel[1](own, outputs[number])
                assert np.array_equal(outputs[number], own)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert [int(output[0]) for output in outputs] == [number + 29 for number in range(8)]


class TestGrid:
    @pytest.mark.parametrize(
        ("key", "grid", "block"),
        [
            ((np.int64(4), (32,)), (4, 1, 1), (32, 1, 1)),
            ((0, [32]), (0, 1, 1), (32, 1, 1)),
            ((4, (32,)), (4, 1, 1), (32, 1, 1)),
            (((4, 2), 32), (4, 2, 1), (32, 1, 1)),
            (((4, 2, 3), (8, 2, 2)), (4, 2, 3), (8, 2, 2)),
        ],
    )
    def test_grid_and_block(self, make_kernel: Callable[..., Kernel], simulators, key, grid, block) -> None:
        result = make_kernel(WIDE)[key]()
        assert (result.grid, result.block) == (grid, block)
        assert (simulators[0].dispatches[-1].group_count, simulators[0].dispatches[-1].local_size) == (grid, block)

    @pytest.mark.parametrize("kernel", [EMPTY, LANES], ids=["subgroup mode", "work-items without numbers"])
    @pytest.mark.parametrize(
        ("key", "grid"),
        [
            (4, (4, 1, 1)),
            ((4,), (4, 1, 1)),
            ((4, 2), (4, 2, 1)),
            ((4, 2, 3), (4, 2, 3)),
            (np.int64(4), (4, 1, 1)),
            (0, (0, 1, 1)),
        ],
    )
    def test_group_of_one_subgroup(self, make_kernel: Callable[..., Kernel], kernel, key, grid) -> None:
        result = make_kernel(kernel)[key]()
        assert (result.grid, result.block) == (grid, (kernel.facts.simd_size, 1, 1))

    @pytest.mark.parametrize(
        ("key", "write"),
        [(16, r"wide\[16, \(16,\)\]"), ((16, 64), r"wide\[16, \(64,\)\]"), ((2, 3, 4), r"wide\[2, \(16,\)\]")],
    )
    def test_work_items_need_a_block(self, make_kernel: Callable[..., Kernel], key, write: str) -> None:
        """The launch form of other libraries, grid and block, is a grid of two dimensions here."""
        with pytest.raises(MissingSizeError, match=f"kernel 'wide' numbers its work-items .* write {write}"):
            make_kernel(WIDE)[key]

    @pytest.mark.parametrize("fact", ["required_work_group_size", "work_group_size_hint"])
    def test_stated_block(self, make_kernel: Callable[..., Kernel], fact: str) -> None:
        assert make_kernel(with_facts(WIDE, **{fact: (8, 4, 1)}))[2, 3]().block == (8, 4, 1)

    def test_known_grid(self, make_kernel: Callable[..., Kernel]) -> None:
        kernel = make_kernel(with_facts(EMPTY, known_grid_size=(4, 2, 1)))
        assert kernel().grid == kernel[4, 2]().grid == kernel(grid=(4, 2)).grid == (4, 2, 1)
        for wrong in (8, (4, 1), (4, 2, 2)):
            with pytest.raises(LaunchError, match=r"kernel 'empty': grid \(.*\), the kernel was made for \(4, 2, 1\)"):
                kernel[wrong]

    def test_no_known_grid(self, make_kernel: Callable[..., Kernel]) -> None:
        with pytest.raises(MissingSizeError, match=r"does not state how many work-groups .*: write empty\[4\]\(...\)"):
            make_kernel(EMPTY)()

    def test_required_size_is_the_block(self, make_kernel: Callable[..., Kernel]) -> None:
        kernel = make_kernel(SIZED)
        assert kernel[1]().block == (16, 2, 1)
        with pytest.raises(ZeError, match=r"INVALID_GROUP_SIZE_DIMENSION.*requires"):
            kernel[1, (8,)]()

    @pytest.mark.parametrize("key", [-1, (), (1, 2, 3, 4), 1.5, "4", (1, 1 << 32), ((1,), 0), ((1,), (2,), (3,))])
    def test_no_grid(self, make_kernel: Callable[..., Kernel], key) -> None:
        with pytest.raises(TypeError, match=r"kernel 'empty': (grid|block) .* expected one to three integers"):
            make_kernel(EMPTY)[key]

    def test_block_too_large(self, make_kernel: Callable[..., Kernel]) -> None:
        with pytest.raises(ZeError, match=r"INVALID_GROUP_SIZE_DIMENSION.*512"):
            make_kernel(WIDE)[1, (1024,)]()


class TestArrayArguments:
    def test_dynamic_sizes_and_strides_are_filled_in(self, make_kernel: Callable[..., Kernel], simulators) -> None:
        kernel = make_kernel(DYNAMIC)
        array = np.zeros((5, 16, 10), np.float32)[:, ::2, 2:]
        kernel[1](array, 1.5)
        data = simulators[0].dispatches[-1].cross_thread
        assert struct.unpack_from("<5qf", data, 8) == (5, 8, 160, 20, 0, 1.5)

    def test_empty_array(self, make_kernel: Callable[..., Kernel], simulators) -> None:
        make_kernel(DYNAMIC)[1](np.zeros((0, 8, 3), np.float32), 0)
        assert struct.unpack_from("<2q", simulators[0].dispatches[-1].cross_thread, 8) == (0, 3)

    @pytest.mark.parametrize(
        ("array", "reason"),
        [
            (np.zeros(16), r"expected memref<16xf32>, got float64 array of shape \(16,\): element type float64"),
            (np.zeros(15, np.float32), "size 15 in dimension 0, expected 16"),
            (np.zeros((4, 4), np.float32), "2 dimensions, expected 1"),
            (np.zeros(16, ">f4"), "other byte order"),
            (np.zeros(16, [("a", np.float32), ("b", np.int8)])["a"], "not multiples of the 4-byte elements"),
            ([0.0] * 16, "got list"),
            (None, "got NoneType None"),
            (1.5, "got float 1.5"),
            (True, "got bool True"),
            (-1, "-1, which is outside"),
        ],
    )
    def test_mismatch_names_kernel_and_argument(self, make_kernel: Callable[..., Kernel], array, reason: str) -> None:
        with pytest.raises(TypeError, match=rf"kernel 'copy', argument 0 \('source'\): .*{reason}"):
            make_kernel(COPY)[1](array, np.zeros(16, np.float32))

    def test_read_only_arrays_are_for_reading(self, make_kernel: Callable[..., Kernel]) -> None:
        kernel = make_kernel(COPY, copy)
        constant, array = np.ones(16, np.float32), np.zeros(16, np.float32)
        constant.flags.writeable = False
        kernel[1](constant, array)
        assert array.sum() == 16
        with pytest.raises(
            TypeError, match=r"argument 1 \('target'\): .*can be written \(writeonly\), got a read-only"
        ):
            kernel[1](array, constant)

    def test_overlapping_views(self, make_kernel: Callable[..., Kernel]) -> None:
        """They may be anywhere that suits the kernel's elements."""
        for start in range(3):
            room = np.arange(64, dtype=np.float32)
            make_kernel(COPY, copy)[1](room[start : start + 16], room[start + 8 : start + 24])
            assert set(room[start + 8 : start + 24]) <= set(range(start, start + 16))

    def test_address_for_a_dynamic_shape(self, make_kernel: Callable[..., Kernel]) -> None:
        """Nothing tells the sizes, so it is refused."""
        with pytest.raises(TypeError, match=r"argument 0 \('a'\): expected memref<\?x8x\?xf32.*got int 4096"):
            make_kernel(DYNAMIC)[1](4096, 1)

    def test_buffer_of_another_device(self, make_kernel: Callable[..., Kernel], simulators) -> None:
        kernel, other = make_kernel(COPY, copy), Device("pvc").empty(16)
        with pytest.raises(TypeError, match="of another device"):
            kernel[1](other, other)

    def test_freed_buffer(self, make_kernel: Callable[..., Kernel], device: Device) -> None:
        kernel, buffer = make_kernel(COPY, copy), device.empty(16)
        buffer.free()
        with pytest.raises(TypeError, match="the buffer was freed"):
            kernel[1](buffer, buffer)


class TestScalarArguments:
    def test_encoding(self, make_kernel: Callable[..., Kernel], simulators) -> None:
        make_kernel(SCALARS)[1](True, -1, 0.5, np.float32(1.5), 2, np.int8(-3), np.float16(0.25), 65535, 1 << 63)
        data = simulators[0].dispatches[-1].cross_thread
        assert struct.unpack_from("<?be", data) == (True, -1, 0.5)
        assert np.frombuffer(data, ml_dtypes.bfloat16, 1, 4)[0] == 1.5
        assert struct.unpack_from("<fidH6xQ", data, 8) == (2.0, -3, 0.25, 65535, 1 << 63)

    @pytest.mark.parametrize(
        ("position", "bad", "reason"),
        [
            (0, 2, "'flag'.*expected i1, got 2, which is outside of 0 to 1"),
            (1, 256, "'small'.*expected i8, got 256, which is outside of -128 to 255"),
            (2, 1e6, "'half'.*expected f16, got 1000000.0, which is too large"),
            (3, "1", "'brain'.*expected bf16, got str '1'"),
            (4, 1e300, "'single'.*too large"),
            (5, 1 << 31, "'signed'.*outside of -2147483648 to 2147483647"),
            (6, 1j, "'double'.*got complex 1j"),
            (7, -1, "'unsigned'.*outside of 0 to 65535"),
            (8, 1.0, "'index'.*expected index, got float 1.0"),
            (4, np.zeros(1), r"'single'.*got float64 array of shape \(1,\)"),
            (4, 10**400, "'single'.*expected f32, got int"),
        ],
    )
    def test_mismatch(self, make_kernel: Callable[..., Kernel], position: int, bad, reason: str) -> None:
        values: list[object] = [0] * 9
        values[position] = bad
        with pytest.raises(TypeError, match=rf"kernel 'scalars', argument {position} \({reason}"):
            make_kernel(SCALARS)[1](*values)

    def test_infinity_is_a_float(self, make_kernel: Callable[..., Kernel], simulators) -> None:
        make_kernel(SCALARS)[1](0, 0, float("inf"), 0, float("-inf"), 0, 0, 0, 0)
        data = simulators[0].dispatches[-1].cross_thread
        assert struct.unpack_from("<2xe4xf", data) == (float("inf"), float("-inf"))


class TestOtherArguments:
    def test_count(self, make_kernel: Callable[..., Kernel]) -> None:
        with pytest.raises(TypeError, match=r"kernel 'copy' takes 2 argument\(s\) \(source, target\), 1 given"):
            make_kernel(COPY)[1](np.zeros(16, np.float32))

    def test_local_memory_is_a_size(self, make_kernel: Callable[..., Kernel], simulators) -> None:
        kernel = make_kernel(LOCAL)
        kernel[1](100, 1.0, 200)
        assert simulators[0].dispatches[-1].slm_size == 1024
        with pytest.raises(TypeError, match="size of local memory"):
            kernel[1](0, 1.0, 200)

    def test_types_that_nobody_knows(self, make_kernel: Callable[..., Kernel], simulators, device: Device) -> None:
        """Pointers take any array, values anything of their size."""
        kernel = make_kernel(compiled("foreign", [pointer("p", "pair*", 0), value("v", "uchar3", 8, 4)]))
        kernel[1](np.zeros((2, 2), np.int16), np.float32(1.0))
        kernel[1](device.empty(4).address, 0x3F800000)
        kernel[1](device.empty(4).address, struct.pack("<f", 1.0))
        for dispatch in simulators[0].dispatches:
            assert struct.unpack_from("<f", dispatch.cross_thread, 8) == (1.0,)
        with pytest.raises(TypeError, match="a numpy scalar, an array or bytes of size 4, or an integer"):
            kernel[1](0, np.float64(1.0))
        with pytest.raises(TypeError, match="of size 4, or an integer, got 5 bytes"):
            kernel[1](0, b"12345")
        with pytest.raises(TypeError, match=r"an array or address \(pair\*\)"):
            kernel[1]("text", 0)

    def test_unused_arguments_are_accepted(self, make_kernel: Callable[..., Kernel]) -> None:
        """An argument that takes no payload still has its place in the call."""
        make_kernel(compiled("lazy", [value("v", "f32", 0, 0), pointer("p", "memref<4xf32>", 0)]))[1](
            1.0, np.zeros(4, np.float32)
        )

    def test_memref_without_its_sizes(self, device: Device, make_kernel: Callable[..., Kernel]) -> None:
        with pytest.raises(ZeError, match=r"INVALID_NATIVE_BINARY: kernel 'torn', argument 0.*without its sizes"):
            make_kernel(compiled("torn", [pointer("p", "memref<?xf32>", 0)]))
