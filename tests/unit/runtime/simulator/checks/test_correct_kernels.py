"""Correct kernels, in which no check may find anything; each must also compute what it is for."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from runtime import Device, Kernel
from tests.paths import EXAMPLES
from tests.unit.runtime.simulator.checks.support import LANES, PLACES, THREAD, Bench
from tests.unit.runtime.simulator.machine.test_barriers import BARRIERS, exchange, expected
from xegpu.targets import PVC


def dwords(bench: Bench, buffer: int = 0) -> NDArray[np.uint32]:
    return bench.buffers[buffer].data.view(np.uint32)


@pytest.fixture(scope="module")
def device() -> Device:
    return Device("pvc", checks="all")


def test_vector_add(device: Device) -> None:
    kernel = example(device, "vector_add")
    a, b = np.arange(4096, dtype=np.float32), np.ones(4096, np.float32)
    buffers = device.array(a), device.array(b), device.empty(4096)
    kernel[64](*buffers)
    assert np.array_equal(buffers[2].numpy(), a + b)


@pytest.mark.parametrize("name", ["gemm", "gemm_sg_map"])
def test_gemm(device: Device, name: str) -> None:
    kernel = example(device, name)
    random = np.random.default_rng(1)
    a, b = (random.integers(-4, 4, (256, 256)).astype(ml_dtypes.bfloat16) for _ in range(2))
    c = device.empty((256, 256))
    kernel[(2, 2)](a, b, c)
    product = a.astype(np.float32) @ b.astype(np.float32)
    assert np.array_equal(c.numpy()[:16, :32], product[:16, :32])


def example(device: Device, name: str) -> Kernel:
    (kernel,) = device.compile((EXAMPLES / f"{name}.mlir").read_text(), f"{name}.mlir").values()
    return kernel


def test_reduction_of_work_groups(device: Device) -> None:
    """Shuffles, shared memory and barriers, and an atomic for each group; the last subgroup is not full."""
    x, total = np.arange(200, dtype=np.float32), device.array(np.zeros(1, np.float32))
    example(device, "reduction")[2, (40,)](x, total)
    assert total.numpy()[0] == x.sum()


def test_transposition(device: Device) -> None:
    x, y = np.arange(16 * 32, dtype=np.float32).reshape(16, 32), device.empty((32, 16))
    example(device, "transpose")[(2, 1)](x, y)
    assert np.array_equal(y.numpy(), x.T)


def test_softmax(device: Device) -> None:
    x = np.random.default_rng(5).normal(size=(2, 40)).astype(np.float32)
    y = device.empty(x.shape)
    example(device, "softmax")[2, (32,)](x, y)
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    assert np.allclose(y.numpy(), powers / powers.sum(axis=1, keepdims=True), rtol=1e-5)


def test_mandelbrot(device: Device) -> None:
    """Lanes that leave a loop one after the other, some of them outside of the picture."""
    counts = device.array(np.full((3, 20), -1, np.int32))
    example(device, "mandelbrot")[(2, 3), (16, 1)](counts, -2.0, -1.0, 0.2, 8)
    assert counts.numpy().min() >= 0


@pytest.mark.parametrize("kind", BARRIERS)
def test_neighbours_exchange_values(kind: str) -> None:
    """With whole, split and named barriers."""
    barrier = BARRIERS[kind].format(signal=hex(1 | 4 << 16 | 4 << 24))
    bench = Bench(exchange(4, 3, barrier), [16 * 2], unwritten=[0], simd_size=1, slm_size=16, barrier_count=2)
    bench.run((2, 1, 1), (4, 1, 1))
    assert dwords(bench).reshape(2, 4).tolist() == [expected(4, 3).tolist()] * 2


def test_transposition_in_shared_memory() -> None:
    """Sixteen threads write a row each, and read a column."""
    text = (
        THREAD
        + PLACES
        + """
        (W) add (16|M0) r6.0<1>:uq r6.0<1;1,0>:uq r11.0<0;1,0>:ud
        load.ugm.d32.a64 (16|M0) r20 flat[r6]
        (W) add (16|M0) r12:ud r5:ud r11.0<0;1,0>:ud
        store.slm.d32.a32 (16|M0) flat[r12] r20
        (W) fence.slm.none.group (1|M0)
        barrier
        (W) mul (16|M0) r12:ud r5:ud 16:ud
        (W) mul (1|M0) r13:ud r10:ud 4:ud
        (W) add (16|M0) r12:ud r12:ud r13.0<0;1,0>:ud
        load.slm.d32.a32 (16|M0) r21 flat[r12]
        (W) add (16|M0) r8.0<1>:uq r1.1<0;1,0>:uq r5.0<1;1,0>:ud
        (W) add (16|M0) r8.0<1>:uq r8.0<1;1,0>:uq r11.0<0;1,0>:ud
        store.ugm.d32.a64 (16|M0) flat[r8] r21
        eot
        """
    )
    bench = Bench(text, [1024, 1024], unwritten=[1], slm_size=1024)
    matrix = np.arange(256, dtype=np.uint32).reshape(16, 16)
    dwords(bench)[:] = matrix.ravel()
    bench.run(local=(256, 1, 1))
    assert np.array_equal(dwords(bench, 1).reshape(16, 16), matrix.T)


def test_reduction_with_barriers() -> None:
    """A tree over eight threads; in each round, half of them add what the other half has."""
    text = (
        THREAD
        + PLACES
        + """
        (W) add (16|M0) r6.0<1>:uq r6.0<1;1,0>:uq r11.0<0;1,0>:ud
        load.ugm.d32.a64 (16|M0) r20 flat[r6]
        (W) mov (1|M0) r14:ud 256:ud
        loop:
        (W) add (16|M0) r12:ud r5:ud r11.0<0;1,0>:ud
        store.slm.d32.a32 (16|M0) flat[r12] r20
        barrier
        (W) cmp (1|M0) (ge)f0.0 null:ud r11:ud r14:ud
        (W&f0.0) jmpi (1|M0) skip
        (W) add (16|M0) r13:ud r12:ud r14.0<0;1,0>:ud
        load.slm.d32.a32 (16|M0) r21 flat[r13]
        add (16|M0) r20:ud r20:ud r21:ud
        skip:
        barrier
        (W) shr (1|M0) r14:ud r14:ud 1:ud
        (W) cmp (1|M0) (ge)f0.0 null:ud r14:ud 64:ud
        (W&f0.0) jmpi (1|M0) loop
        (W) cmp (1|M0) (ne)f0.0 null:ud r10:ud 0:ud
        (W&f0.0) jmpi (1|M0) end
        (W) add (16|M0) r8.0<1>:uq r1.1<0;1,0>:uq r5.0<1;1,0>:ud
        store.ugm.d32.a64 (16|M0) flat[r8] r20
        end:
        eot
        """
    )
    bench = Bench(text, [512, 64], unwritten=[1], slm_size=512)
    values = np.arange(128, dtype=np.uint32)
    dwords(bench)[:] = values
    bench.run(local=(128, 1, 1))
    assert dwords(bench, 1).tolist() == values.reshape(8, 16).sum(axis=0).tolist()


def test_histogram_with_atomics() -> None:
    """Counts in shared memory, which the first thread clears; then all groups add up in device memory."""
    text = (
        THREAD
        + PLACES
        + """
        (W) cmp (1|M0) (ne)f0.0 null:ud r10:ud 0:ud
        (W&f0.0) jmpi (1|M0) cleared
        (W) mov (16|M0) r20:ud 0:ud
        store.slm.d32.a32 (16|M0) flat[r5] r20
        cleared:
        barrier
        (W) mul (16|M0) r21:ud r5:ud r5:ud
        (W) add (16|M0) r21:ud r21:ud r11.0<0;1,0>:ud
        (W) and (16|M0) r21:ud r21:ud 60:ud
        atomic_iinc.slm.d32.a32 (16|M0) null flat[r21]
        barrier
        (W&f0.0) jmpi (1|M0) end
        load.slm.d32.a32 (16|M0) r22 flat[r5]
        atomic_iadd.ugm.d32.a64 (16|M0) null flat[r6] r22
        end:
        eot
        """
    )
    bench = Bench(text, [64], slm_size=64)
    bench.run((3, 1, 1), (64, 1, 1))
    offsets = 4 * np.arange(16)[None] * 4 * np.arange(16)[None] + 64 * np.arange(4)[:, None]
    counts = np.bincount((offsets.ravel() & 60) // 4, minlength=16)
    assert dwords(bench).tolist() == (3 * counts).tolist()


def test_the_last_group_adds_what_all_have_stored() -> None:
    """Groups count themselves with an atomic between fences; who is last sees the results of all."""
    text = (
        LANES
        + """
        (W) mul (1|M0) r11:ud r0.1<0;1,0>:ud 64:ud
        (W) add (1|M0) r12.0<1>:uq r1.0<0;1,0>:uq r11.0<0;1,0>:ud
        (W) add (16|M0) r20:ud r5:ud r0.1<0;1,0>:ud
        (W) store.ugm.d32x16t.a64 (1|M0) flat[r12] r20
        (W) fence.ugm.none.gpu (1|M0)
        (W) mov (1|M0) r13.0<1>:uq r1.1<0;1,0>:uq
        (W) atomic_iinc.ugm.d32.a64 (1|M0) r14 flat[r13]
        (W) cmp (1|M0) (ne)f0.0 null:ud r14:ud 4:ud
        (W&f0.0) jmpi (1|M0) end
        (W) fence.ugm.invalidate.gpu (1|M0)
        (W) mov (16|M0) r21:ud 0:ud
        (W) mov (1|M0) r12.0<1>:uq r1.0<0;1,0>:uq
        (W) mov (1|M0) r15:d 5:d
        loop:
        (W) load.ugm.d32x16t.a64 (1|M0) r22 flat[r12]
        (W) add (16|M0) r21:ud r21:ud r22:ud
        (W) add (1|M0) r12.0<1>:uq r12.0<0;1,0>:uq 64:ud
        (W) add (1|M0) (gt)f0.0 r15:d r15:d -1:d
        (W&f0.0) jmpi (1|M0) loop
        (W) mov (1|M0) r13.0<1>:uq r1.2<0;1,0>:uq
        (W) store.ugm.d32x16t.a64 (1|M0) flat[r13] r21
        end:
        eot
        """
    )
    bench = Bench(text, [64 * 5, 64, 64], unwritten=[0, 2])
    bench.run((5, 1, 1))
    assert dwords(bench, 2).tolist() == [5 * 4 * lane + 10 for lane in range(16)]


def test_lanes_that_loop_for_different_times() -> None:
    """Lane n adds n to a sum that starts with zero, n times."""
    text = (
        PLACES
        + """
        mov (16|M0) r20:ud 0:ud
        mov (16|M0) r21:ud r4:uw
        cmp (16|M0) (eq)f0.0 null:ud r21:ud 0:ud
        (f0.0) goto (16|M0) out out
        loop:
        add (16|M0) r20:ud r20:ud r4:uw
        add (16|M0) (gt)f0.0 r21:d r21:d -1:d
        (f0.0) goto.b (16|M0) out loop
        out: join (16|M0) end
        end:
        store.ugm.d32.a64 (16|M0) flat[r6] r20
        eot
        """
    )
    bench = Bench(text, [64], unwritten=[0])
    bench.run()
    assert dwords(bench).tolist() == [lane * lane for lane in range(16)]


def test_scratch_space_subroutines_and_indirect_operands() -> None:
    """A table in registers goes to scratch space and back, and lanes look into it at places of their own."""
    text = (
        PLACES
        + """
        (W) mov (16|M0) r20:ud r5:ud
        (W) mov (1|M0) r9:ud 0:ud
        (W) store.ugm.d32x16t.a32 (1|M0) ss[r9] r20
        (W) load.ugm.d32x16t.a32 (1|M0) r30 ss[r9]
        (W) call (1|M0) r40 look
        store.ugm.d32.a64 (16|M0) flat[r6] r21
        eot
        look:
        (W) mov (8|M0) r22:uw r30.8<1;1,0>:ud
        (W) add (8|M0) a0.0:uw r22:uw 1920:uw
        (W) mov (8|M0) r21:ud r[a0.0]<1,0>:ud
        (W) mov (8|M0) r21.8:ud r21.0:ud
        (W) ret (1|M0) r40
        """
    )
    bench = Bench(text, [64], unwritten=[0], scratch_size=64)
    bench.run()
    assert dwords(bench).tolist() == [4 * (8 + lane % 8) for lane in range(16)]


def test_work_groups_that_are_no_whole_number_of_subgroups() -> None:
    """Twenty work-items in two threads: lanes that are off write nothing and share no barrier."""
    text = (
        THREAD
        + PLACES
        + """
        (W) add (16|M0) r6.0<1>:uq r6.0<1;1,0>:uq r11.0<0;1,0>:ud
        store.ugm.d32.a64 (16|M0) flat[r6] r5
        barrier
        load.ugm.d32.a64 (16|M0) r20 flat[r6]
        add (16|M0) r20:ud r20:ud 1:ud
        store.ugm.d32.a64 (16|M0) flat[r6] r20
        eot
        """
    )
    bench = Bench(text, [80], unwritten=[0])
    bench.run(local=(20, 1, 1))
    assert dwords(bench).tolist() == [4 * (lane % 16) + 1 for lane in range(20)]


def test_copy_of_a_surface_in_blocks() -> None:
    """Blocks at the edges; rows of the surface end before the pitch does, with bytes that nobody has written."""
    text = """
        (W) mov (16|M0) r9:ud 0:ud
        (W) mov (1|M0) r9.0:uq r1.0:uq
        (W) mov (1|M0) r9.2:ud 79:ud
        (W) mov (1|M0) r9.3:ud 9:ud
        (W) mov (1|M0) r9.4:ud 127:ud
        (W) mul (1|M0) r9.5:ud r0.1<0;1,0>:ud 16:ud
        (W) mul (1|M0) r9.6:ud r0.6<0;1,0>:ud 8:ud
        (W) mov (1|M0) r9.7:ud 0x70f:ud
        load_block2d.ugm.d32.a64 (1|M0) r20 flat[r9] 16x8x1
        (W) mov (1|M0) r9.0:uq r1.1:uq
        store_block2d.ugm.d32.a64 (1|M0) flat[r9] r20 16x8x1
        eot
    """
    bench = Bench(text, [1280, 1280], unwritten=[0, 1])
    values = np.random.default_rng(3).integers(0, 1 << 32, (10, 32), np.uint32)
    dwords(bench)[:] = values.ravel()
    for row in range(10):
        bench.buffers[0].initialize(128 * row, 80)
    bench.run((2, 2, 1))
    assert PVC.platform.block2d is not None
    assert np.array_equal(dwords(bench, 1).reshape(10, 32)[:, :20], values[:, :20])
