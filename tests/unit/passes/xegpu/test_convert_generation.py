"""Kernels in the XeGPU of LLVM 22, of subgroups and of lanes, compute what numpy does."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import DTYPES, compile_one, kernel_text, random_array, refusal, run
from xegpu.targets import ARC, PVC, Target


def _gemm(rows: int, columns: int, depth: int, *, fragments: bool, element: str = "f16", total: str = "f32") -> str:
    """A product of 64x64 matrices by blocks, of a subgroup or of its lanes."""

    def value(m: int, n: int, type_: str) -> str:
        return f"vector<{m * n // 16}x{type_}>" if fragments else f"vector<{m}x{n}x{type_}>"

    a, b, c = value(rows, depth, element), value(depth, columns, element), value(rows, columns, total)
    da, db = f"!xegpu.tensor_desc<{rows}x{depth}x{element}>", f"!xegpu.tensor_desc<{depth}x{columns}x{element}>"
    dc = f"!xegpu.tensor_desc<{rows}x{columns}x{total}>"
    return kernel_text(
        f"%a: memref<64x64x{element}>, %b: memref<64x64x{element}>, %c: memref<64x64x{total}>",
        f"""
        %c0 = arith.constant 0 : index
        %c64 = arith.constant 64 : index
        %rows = arith.constant {rows} : index
        %columns = arith.constant {columns} : index
        %depth = arith.constant {depth} : index
        %x = gpu.block_id x
        %y = gpu.block_id y
        %i = arith.muli %x, %rows : index
        %j = arith.muli %y, %columns : index
        %ta = xegpu.create_nd_tdesc %a : memref<64x64x{element}> -> {da}
        %tb = xegpu.create_nd_tdesc %b : memref<64x64x{element}> -> {db}
        %tc = xegpu.create_nd_tdesc %c : memref<64x64x{total}> -> {dc}
        %first = xegpu.load_nd %tc[%i, %j] : {dc} -> {c}
        %last = scf.for %k = %c0 to %c64 step %depth iter_args(%sum = %first) -> {c} {{
          %l = xegpu.load_nd %ta[%i, %k] : {da} -> {a}
          %r = xegpu.load_nd %tb[%k, %j] : {db} -> {b}
          %next = xegpu.dpas %l, %r, %sum : {a}, {b}, {c} -> {c}
          scf.yield %next : {c}
        }}
        xegpu.store_nd %last, %tc[%i, %j] : {c}, {dc}
        """,
        attributes="intel_reqd_sub_group_size = 16 : i32",
    )


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize(
    ("rows", "columns", "depth", "fragments", "element", "total"),
    [
        (32, 32, 32, False, "f16", "f32"),
        (16, 64, 16, False, "bf16", "f32"),
        (24, 16, 64, False, "i8", "i32"),
        (8, 16, 16, True, "f16", "f32"),
        (8, 16, 32, True, "i8", "i32"),
        (4, 16, 16, True, "bf16", "f32"),
    ],
)
def test_gemm(rows: int, columns: int, depth: int, fragments: bool, element: str, total: str) -> None:
    kernel = compile_one(_gemm(rows, columns, depth, fragments=fragments, element=element, total=total))
    assert kernel.facts.simd_size == 16
    rng = np.random.default_rng(rows)
    a, b = (random_array(rng, (64, 64), element) for _ in range(2))
    c = random_array(rng, (64, 64), total)
    *_, result = run(kernel, a, b, c, groups=(-(-64 // rows), 64 // columns, 1))
    if element == "i8":
        want = a.astype(np.int64) @ b.astype(np.int64) + c
        covered = 64 // rows * rows
        np.testing.assert_array_equal(result[:covered], want.astype(np.int32)[:covered])
    else:
        # 64 products and sums, each rounded once to f32
        magnitude = np.abs(a.astype(float)) @ np.abs(b.astype(float)) + np.abs(c)
        want = a.astype(float) @ b.astype(float) + c
        assert (np.abs(result - want) <= 65 * 2.0**-24 * magnitude).all()


@pytest.mark.parametrize(
    ("shape", "chunk", "element"),
    [
        ((16,), 1, "f32"),
        ((4, 16), 1, "f16"),
        ((2, 3, 5), 1, "i64"),
        ((16,), 4, "f32"),
        ((24,), 5, "f32"),
        ((8,), 6, "f16"),
    ],
)
def test_gathers(shape: tuple[int, ...], chunk: int, element: str) -> None:
    count = int(np.prod(shape))
    dims = "x".join(map(str, shape))
    value = f"vector<{dims}x{element}>" if chunk == 1 else f"vector<{dims}x{chunk}x{element}>"
    rng = np.random.default_rng(count)
    offsets = rng.permutation(64)[:count].reshape(shape) * chunk
    mask = rng.integers(0, 2, shape).astype(bool)
    size = f" <{{chunk_size = {chunk} : i64}}>" if chunk > 1 else ""
    types = f"memref<1024x{element}>, vector<{dims}xindex>, vector<{dims}xi1>"
    kernel = compile_one(
        kernel_text(
            f"%a: memref<1024x{element}>, %c: memref<1024x{element}>",
            f"""
            %o = arith.constant dense<{offsets.tolist()}> : vector<{dims}xindex>
            %m = arith.constant dense<{str(mask.tolist()).lower()}> : vector<{dims}xi1>
            xegpu.prefetch %a[%o] : memref<1024x{element}>, vector<{dims}xindex>
            %v = xegpu.load %a[%o], %m{size} : {types} -> {value}
            xegpu.store %v, %c[%o], %m{size} : {value}, {types}
            """,
            attributes="",
        )
    )
    a = random_array(rng, 1024, element)
    *_, result = run(kernel, a, np.zeros(1024, DTYPES[element]))
    want = np.zeros_like(a)
    for offset in offsets[mask]:
        want[offset : offset + chunk] = a[offset : offset + chunk]
    assert result.tobytes() == want.tobytes()


@pytest.mark.parametrize(("chunk", "element"), [(3, "f16"), (5, "f32"), (6, "i8")])
def test_chunks_of_lanes_of_any_length(chunk: int, element: str) -> None:
    """Messages access 32-bit words: other chunks are accessed in parts."""
    types = f"memref<400x{element}>, index, i1"
    kernel = compile_one(
        kernel_text(
            f"%a: memref<400x{element}>, %c: memref<400x{element}>",
            f"""
            %lane = gpu.lane_id
            %chunk = arith.constant {chunk} : index
            %at = arith.muli %lane, %chunk : index
            %true = arith.constant true
            xegpu.prefetch %a[%at] : memref<400x{element}>, index
            %v = xegpu.load %a[%at], %true <{{chunk_size = {chunk} : i64}}> : {types} -> vector<{chunk}x{element}>
            xegpu.store %v, %c[%at], %true <{{chunk_size = {chunk} : i64}}> : vector<{chunk}x{element}>, {types}
            """,
            attributes="",
        )
    )
    a = random_array(np.random.default_rng(chunk), 400, element)
    *_, result = run(kernel, a, np.zeros(400, DTYPES[element]))
    assert result[: 16 * chunk].tobytes() == a[: 16 * chunk].tobytes()
    assert not result[16 * chunk :].any()


def test_what_lanes_gather() -> None:
    """Each lane has an offset and a mask of its own, of one element or of a chunk of consecutive ones."""
    kernel = compile_one(
        kernel_text(
            "%a: memref<1024xf32>, %p: i64, %c: memref<1024xf32>",
            """
            %lane = gpu.lane_id
            %three = arith.constant 3 : index
            %eight = arith.constant 8 : index
            %true = arith.constant true
            %at = arith.muli %lane, %three : index
            %some = arith.cmpi ult, %lane, %eight : index
            %one = xegpu.load %a[%at], %some : memref<1024xf32>, index, i1 -> f32
            xegpu.store %one, %c[%at], %some : f32, memref<1024xf32>, index, i1
            %chunk = arith.muli %lane, %eight : index
            %four = xegpu.load %a[%chunk], %true <{chunk_size = 4 : i64}> : memref<1024xf32>, index, i1 -> vector<4xf32>
            %offset = arith.constant 512 : index
            %to = arith.addi %chunk, %offset : index
            xegpu.store %four, %c[%to], %true <{chunk_size = 4 : i64}> : vector<4xf32>, memref<1024xf32>, index, i1
            """,
            attributes="",
        )
    )
    a = random_array(np.random.default_rng(0), 1024, "f32")
    *_, result = run(kernel, a, 0, np.zeros(1024, np.float32))
    want = np.zeros(1024, np.float32)
    want[:24:3] = a[:24:3]
    for lane in range(16):
        want[512 + 8 * lane : 516 + 8 * lane] = a[8 * lane : 8 * lane + 4]
    np.testing.assert_array_equal(result, want)


@pytest.mark.parametrize(
    ("layout", "strides"),
    [
        ("", None),
        (", #xegpu.mem_layout<stride = [1, 32]>", (1, 32, 0, 0)),
        (", #xegpu.mem_layout<stride = [1, 32], block = [16, 8]>", (128, 256, 1, 16)),
        (", #xegpu.mem_layout<block = [16, 16]>", (4096, 256, 16, 1)),
    ],
)
@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("row", ["%x", "16"])
def test_matrices(layout: str, strides: tuple[int, int, int, int] | None, row: str) -> None:
    """A matrix of 32x256 is stored by its layout and loaded as rows; the strides are those of blocks and in them."""
    matrix = f"!xegpu.mem_desc<32x256xf16{layout}>"
    kernel = compile_one(
        kernel_text(
            "%a: memref<16x32xf16>, %c: memref<8192xf16>",
            f"""
            %slm = memref.alloc() : memref<16384xi8, 3>
            %x = gpu.block_id x
            %t = xegpu.create_nd_tdesc %a : memref<16x32xf16> -> !xegpu.tensor_desc<16x32xf16>
            %v = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<16x32xf16> -> vector<16x32xf16>
            %plain = xegpu.create_mem_desc %slm : memref<16384xi8, 3> -> !xegpu.mem_desc<8192xf16>
            %matrix = xegpu.create_mem_desc %slm : memref<16384xi8, 3> -> {matrix}
            %none = arith.constant dense<0.0> : vector<64xf16>
            %c0 = arith.constant 0 : index
            %c64 = arith.constant 64 : index
            %c8192 = arith.constant 8192 : index
            scf.for %i = %c0 to %c8192 step %c64 {{
              xegpu.store_matrix %none, %plain[%i] : vector<64xf16>, !xegpu.mem_desc<8192xf16>, index
            }}
            gpu.barrier
            xegpu.store_matrix %v, %matrix[{row}, 24] : vector<16x32xf16>, {matrix}{", index" if row == "%x" else ""}
            gpu.barrier
            %m = arith.constant dense<true> : vector<64xi1>
            %step = vector.step : vector<64xindex>
            scf.for %i = %c0 to %c8192 step %c64 {{
              %w = xegpu.load_matrix %plain[%i] : !xegpu.mem_desc<8192xf16>, index -> vector<64xf16>
              %first = vector.broadcast %i : index to vector<64xindex>
              %o = arith.addi %first, %step : vector<64xindex>
              xegpu.store %w, %c[%o], %m : vector<64xf16>, memref<8192xf16>, vector<64xindex>, vector<64xi1>
            }}
            """,
            attributes="",
        )
    )
    a = random_array(np.random.default_rng(1), (16, 32), "f16")
    *_, result = run(kernel, a, np.zeros(8192, np.float16))
    start, want = 0 if row == "%x" else 16, np.zeros(8192, np.float16)
    block = (16, 8) if "16, 8]" in layout else (16, 16) if "16, 16]" in layout else (1, 1)
    outer = (256, 1, 0, 0) if strides is None else strides
    for (r, c), element in np.ndenumerate(a):
        i, j = start + r, 24 + c
        want[
            i // block[0] * outer[0] + j // block[1] * outer[1] + i % block[0] * outer[2] + j % block[1] * outer[3]
        ] = element
    np.testing.assert_array_equal(result, want)


def test_dynamic_memrefs_bring_their_sizes() -> None:
    kernel = compile_one(
        kernel_text(
            "%a: memref<?x?xf32>, %c: memref<64x64xf32>",
            """
            %t = xegpu.create_nd_tdesc %a : memref<?x?xf32> -> !xegpu.tensor_desc<16x16xf32>
            %u = xegpu.create_nd_tdesc %c : memref<64x64xf32> -> !xegpu.tensor_desc<16x16xf32>
            %v = xegpu.load_nd %t[8, 8] : !xegpu.tensor_desc<16x16xf32> -> vector<16x16xf32>
            xegpu.store_nd %v, %u[0, 0] : vector<16x16xf32>, !xegpu.tensor_desc<16x16xf32>
            """,
            attributes="",
        )
    )
    names = [argument.name for argument in kernel.facts.arguments]
    assert len(names) > 2, names


def test_lanes_forward_descriptors() -> None:
    """Through a loop and a choice, to a packed load and a plain one, each of which distributes the block otherwise."""
    block, right, wide = (
        "!xegpu.tensor_desc<8x16xf16>",
        "!xegpu.tensor_desc<16x16xf16>",
        "!xegpu.tensor_desc<8x16xf32>",
    )
    text = kernel_text(
        "%a: memref<2x64x64xf16>, %b: memref<64x64xf16>, %c: memref<8x16xf32>, %skips: i1, %copy: memref<64x64xf16>",
        f"""
        %c0 = arith.constant 0 : index
        %c16 = arith.constant 16 : index
        %c48 = arith.constant 48 : index
        %zero = arith.constant dense<0.0> : vector<8xf32>
        %ta = xegpu.create_nd_tdesc %a[1, 8, 0] : memref<2x64x64xf16> -> {block}
        %first = xegpu.create_nd_tdesc %b[0, 16] : memref<64x64xf16> -> {right}
        %tb = scf.if %skips -> ({right}) {{
          %moved = xegpu.update_nd_offset %first, [%c16, 0] : {right}
          scf.yield %moved : {right}
        }} else {{
          scf.yield %first : {right}
        }}
        %last:3 = scf.for %k = %c0 to %c48 step %c16 iter_args(%x = %ta, %y = %tb, %sum = %zero)
            -> ({block}, {right}, vector<8xf32>) {{
          %l = xegpu.load_nd %x : {block} -> vector<8xf16>
          %r = xegpu.load_nd %y : {right} -> vector<16xf16>
          %next = xegpu.dpas %l, %r, %sum : vector<8xf16>, vector<16xf16>, vector<8xf32> -> vector<8xf32>
          %u = xegpu.update_nd_offset %x, [0, 16] : {block}
          %v = xegpu.update_nd_offset %y, [16, 0] : {right}
          scf.yield %u, %v, %next : {block}, {right}, vector<8xf32>
        }}
        %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<8x16xf32> -> {wide}
        xegpu.store_nd %last#2, %tc : vector<8xf32>, {wide}
        %plain = xegpu.load_nd %last#1 : {right} -> vector<16xf16>
        %to = xegpu.create_nd_tdesc %copy[0, 0] : memref<64x64xf16> -> {right}
        xegpu.store_nd %plain, %to : vector<16xf16>, {right}
        """,
        attributes="intel_reqd_sub_group_size = 16 : i32",
    )
    kernel = compile_one(text)
    rng = np.random.default_rng(5)
    a, b = random_array(rng, (2, 64, 64), "f16"), random_array(rng, (64, 64), "f16")
    for skips in (False, True):
        rows = slice(16, 64) if skips else slice(0, 48)
        outputs = np.zeros((8, 16), np.float32), np.bool_(skips), np.zeros((64, 64), np.float16)
        _, _, found, copied = run(kernel, a, b, *outputs, local=(16, 1, 1))
        expected = a[1, 8:16, :48].astype(np.float64) @ b[rows, 16:32].astype(np.float64)
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-3)
        after = np.zeros((16, 16), np.float16) if skips else b[48:64, 16:32]
        np.testing.assert_array_equal(copied[:16, :16], after)


def test_descriptors_of_lanes_for_different_memory_are_refused() -> None:
    desc = "!xegpu.tensor_desc<8x16xf32>"
    text = kernel_text(
        "%a: memref<8x16xf32>, %b: memref<8x16xf32>, %c: i1",
        f"""
        %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x16xf32> -> {desc}
        %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<8x16xf32> -> {desc}
        %t = scf.if %c -> ({desc}) {{
          scf.yield %ta : {desc}
        }} else {{
          scf.yield %tb : {desc}
        }}
        %v = xegpu.load_nd %t : {desc} -> vector<8xf32>
        """,
        attributes="intel_reqd_sub_group_size = 16 : i32",
    )
    assert "a descriptor that may be for one memory or another" in refusal(text)


@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
def test_one_element_of_each_lane(target: Target) -> None:
    """An element of a matrix has the rank of the matrix in LLVM 22, and is that of a lane nevertheless."""
    kernel = compile_one(
        """
        gpu.module @m {
          gpu.func @k(%a: memref<64xf32>, %out: memref<64xf32>) kernel
              attributes {intel_reqd_sub_group_size = 16 : i32, known_block_size = array<i32: 64, 1, 1>} {
            %slm = memref.alloc() : memref<512xi8, 3>
            %matrix = xegpu.create_mem_desc %slm : memref<512xi8, 3> -> !xegpu.mem_desc<8x16xf32>
            %i = gpu.thread_id x
            %s = gpu.subgroup_id : index
            %lane = gpu.lane_id
            %c0 = arith.constant 0 : index
            %v = memref.load %a[%i] : memref<64xf32>
            %one = vector.broadcast %v : f32 to vector<1x1xf32>
            xegpu.store_matrix %one, %matrix[%s, %lane] : vector<1x1xf32>, !xegpu.mem_desc<8x16xf32>, index, index
            %sum = gpu.subgroup_reduce add %v : (f32) -> f32
            %same = vector.broadcast %sum : f32 to vector<1x1xf32>
            xegpu.store_matrix %same, %matrix[%s, %c0] : vector<1x1xf32>, !xegpu.mem_desc<8x16xf32>, index, index
            %back = xegpu.load_matrix %matrix[%s, %lane] : !xegpu.mem_desc<8x16xf32>, index, index -> vector<1x1xf32>
            %w = vector.extract %back[0, 0] : f32 from vector<1x1xf32>
            memref.store %w, %out[%i] : memref<64xf32>
            gpu.return
          }
        }
        """,
        target,
    )
    a = np.arange(64, dtype=np.float32)
    *_, result = run(kernel, a, np.zeros_like(a), target=target, local=(64, 1, 1))
    want = a.reshape(4, 16).copy()
    want[:, 0] = want.sum(axis=1)
    np.testing.assert_array_equal(result.reshape(4, 16), want)
