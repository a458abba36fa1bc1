"""Native code of Intel's compiler against the code of ours, from the same OpenCL C, in the JIT and in one run.

Needs `ocloc`. Prints seconds for a vector sum and a matrix product, with the kernel of `gemm.py` beside it.
`--size 1024 --items 4194304 --repeat 5`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

import ml_dtypes
import numpy as np
from gemm import TILE, best_of, kernel_text

from runtime import Device

SOURCE = """
float8 __attribute__((overloadable)) intel_sub_group_bf16_bf16_matrix_mad_k16(short8 a, int8 b, float8 c);

kernel void sum(global const float *a, global const float *b, global float *c) {
  int i = get_global_id(0);
  c[i] = a[i] + b[i];
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void product(global const ushort *a, global const int *b, global float *c, int n, int k) {
  int row = get_group_id(1) * 32, column = get_group_id(0) * 32;
  float8 sum[4][2];
  for (int i = 0; i < 4; i++) for (int j = 0; j < 2; j++) sum[i][j] = 0;
  for (int at = 0; at < k; at += 16) {
    int8 right[2];
    for (int j = 0; j < 2; j++) for (int i = 0; i < 8; i++)
      right[j][i] = as_int(intel_sub_group_block_read((global const uint *)(b + (at / 2 + i) * n + column + 16 * j)));
    for (int i = 0; i < 4; i++) {
      short8 left;
      for (int r = 0; r < 8; r++) left[r] = as_short(intel_sub_group_block_read_us(a + (row + i * 8 + r) * k + at));
      for (int j = 0; j < 2; j++) sum[i][j] = intel_sub_group_bf16_bf16_matrix_mad_k16(left, right[j], sum[i][j]);
    }
  }
  for (int i = 0; i < 4; i++) for (int j = 0; j < 2; j++) for (int r = 0; r < 8; r++)
    intel_sub_group_block_write((global uint *)(c + (row + i * 8 + r) * n + column + 16 * j), as_uint(sum[i][j][r]));
}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--items", type=int, default=1 << 22)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    draw, device, n = np.random.default_rng(0), Device("pvc"), options.size
    x = draw.standard_normal(options.items).astype(np.float32)
    z, y, c = x[::-1].copy(), np.zeros_like(x), np.zeros((n, n), np.float32)
    a, b = (draw.standard_normal((n, n)).astype(ml_dtypes.bfloat16) for _ in range(2))
    pairs = np.ascontiguousarray(b.reshape(n // 2, 2, n).swapaxes(1, 2)).view(np.int32)
    own, native = (device.compile(SOURCE, "native.cl", compiler=compiler) for compiler in ("xegpu", "igc"))
    tiled = device.compile(kernel_text(n))["gemm"][(n // TILE[0], n // TILE[1])]

    def timed(name: str, launch: Callable[[], object]) -> None:
        launch()
        print(f"{name:40} {best_of(options.repeat, launch):8.4f} s")

    for name, module in (("ours", own), ("Intel's compiler", native)):
        items = module["sum"][options.items // 256, (256,)]
        timed(f"vector sum, OpenCL C, {name}", partial(items, x, z, y))
        assert (y == x + z).all()
    products = []
    for name, module in (("ours", own), ("Intel's compiler", native)):
        tiles = module["product"][(n // 32, n // 32), (16,)]
        timed(f"matrix product, OpenCL C, {name}", partial(tiles, a.view(np.uint16), pairs, c, n, n))
        products.append(c.copy())
    timed("matrix product, XeGPU, ours", partial(tiled, a, b, c))
    assert all((product == c).all() for product in products)


if __name__ == "__main__":
    main()
