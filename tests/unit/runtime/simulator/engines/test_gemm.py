"""A bf16 GEMM as a compiler writes it, in every engine: 2-D blocks, a loop of matrix products, a grid of groups."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.simulator import Memory
from runtime.simulator.engines import ENGINES
from tests.unit.runtime.simulator.programs.assembled import launch

# One thread computes a 16x32 tile of C = A x B; sizes need not be multiples of it: blocks end at the surfaces' edges.
# Arguments: the addresses of A, B and C as qwords 0 to 2; then, from dword 6 on and all minus 1, the rows M, the bytes
# of a row of A, the rows K, the bytes of a row of B and of C, and the pitches of A, B and C.
KERNEL = """
    .reg args = r1
    .reg a = r10
    .reg b = r11
    .reg c = r12
    (W) mov (16|M0) a:d 0:d
    (W) mov (16|M0) b:d 0:d
    (W) mov (16|M0) c:d 0:d
    (W) mov (1|M0) a.0:uq args.0:uq
    (W) mov (1|M0) a.2:d args.7:d
    (W) mov (1|M0) a.3:d args.6:d
    (W) mov (1|M0) a.4:d args.11:d
    (W) shl (1|M0) a.6:d r0.6:d 4:d
    (W) mov (1|M0) a.7:d 0x0f0f:d
    (W) mov (1|M0) b.0:uq args.1:uq
    (W) mov (1|M0) b.2:d args.9:d
    (W) mov (1|M0) b.3:d args.8:d
    (W) mov (1|M0) b.4:d args.12:d
    (W) shl (1|M0) b.5:d r0.1:d 5:d
    (W) mov (1|M0) b.7:d 0x10f0f:d
    (W) mov (1|M0) c.0:uq args.2:uq
    (W) mov (1|M0) c.2:d args.10:d
    (W) mov (1|M0) c.3:d args.6:d
    (W) mov (1|M0) c.4:d args.13:d
    (W) mov (1|M0) c.5:d b.5:d
    (W) mov (1|M0) c.6:d a.6:d
    (W) mov (1|M0) c.7:d 0x70f:d
    {clear}
loop:
    load_block2d.ugm.d16.a64 (1|M0) r20 flat[a] 16x16x1
    load_block2d.ugm.d16v.a64 (1|M0) r28 flat[b] 16x16x2
    dpas.8x8 (16|M0) r50:f r50:f r28:bf r20:bf
    dpas.8x8 (16|M0) r58:f r58:f r28:bf r24:bf
    dpas.8x8 (16|M0) r66:f r66:f r36:bf r20:bf
    dpas.8x8 (16|M0) r74:f r74:f r36:bf r24:bf
    (W) add (1|M0) a.5:d a.5:d 16:d
    (W) add (1|M0) b.6:d b.6:d 16:d
    (W) cmp (1|M0) (le)f0.0 null:d b.6:d b.3:d
    (W&f0.0) jmpi (1|M0) loop
    store_block2d.ugm.d32.a64 (1|M0) flat[c] r50 16x8x1
    (W) add (1|M0) c.6:d c.6:d 8:d
    store_block2d.ugm.d32.a64 (1|M0) flat[c] r58 16x8x1
    (W) add (1|M0) c.5:d c.5:d 16:d
    store_block2d.ugm.d32.a64 (1|M0) flat[c] r74 16x8x1
    (W) add (1|M0) c.6:d c.6:d -8:d
    store_block2d.ugm.d32.a64 (1|M0) flat[c] r66 16x8x1
    eot
""".format(clear="\n".join(f"    (W) mov (16|M0) r{n}:f 0:f" for n in range(50, 82)))


@pytest.mark.parametrize("engine", sorted(ENGINES))
@pytest.mark.parametrize(("m", "n", "k"), [(64, 64, 64), (50, 72, 40), (8, 32, 32)])
def test_gemm(engine: str, m: int, n: int, k: int) -> None:
    rng = np.random.default_rng(m)
    memory = Memory()
    pitches = [-(-width // 64) * 64 for width in (2 * k, 2 * n, 4 * n)]
    a, b = rng.normal(size=(m, k)), rng.normal(size=(k, n))
    allocations = [memory.allocate(rows * pitch) for rows, pitch in zip((m, k, m), pitches, strict=True)]
    allocations[2].data.fill(0xFF)
    for values, allocation, pitch in zip((a, b), allocations, pitches, strict=False):
        patterns = (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        np.frombuffer(allocation.view(), np.uint16).reshape(-1, pitch // 2)[:, : values.shape[1]] = patterns
        values[:] = (patterns.astype(np.uint32) << 16).view(np.float32)
    dwords = np.array([m - 1, 2 * k - 1, k - 1, 2 * n - 1, 4 * n - 1, *(p - 1 for p in pitches)], np.uint32)
    arguments = (*(x.address for x in allocations), *map(int, dwords.view(np.uint64)))
    grid = (-(-n // 32), -(-m // 16), 1)
    statistics = launch(memory, KERNEL, grid, (1, 1, 1), arguments, engine=engine, simd_size=1)
    c = np.frombuffer(allocations[2].view(), np.float32).reshape(m, -1)
    # Each of the k products rounds once in f32, on the way to sums that are bounded by |a| x |b|.
    assert (np.abs(c[:, :n] - a @ b) <= k * 2.0**-24 * (np.abs(a) @ np.abs(b))).all()
    assert np.isnan(c[:, n:]).all()  # the padding behind the rows was not touched
    steps = -(-k // 16)
    assert statistics.instructions == grid[0] * grid[1] * (22 + 32 + 10 * steps + 8)
