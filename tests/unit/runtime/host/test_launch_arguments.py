"""Tests of arguments of kernels beside plain buffers: shared local memory, unranked memrefs, views."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import Device, LaunchError, ProgramError, run
from xegpu.diagnostics import CompileError

HEAD = """
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c4096 = arith.constant 4096 : index
"""
LAUNCH = "gpu.launch_func @m::@k blocks in (%c2, %c1, %c1) threads in (%c16, %c1, %c1)"
ONE = LAUNCH.replace("(%c2", "(%c1")


def program(host: str, parameters: str, kernel: str, attributes: str = "") -> str:
    """A program that calls a kernel `k` with a buffer `%o` of 32 floats, which it returns, and other arguments."""
    return f"""
module attributes {{gpu.container_module}} {{
  func.func @main() -> memref<32xf32> {{
    {HEAD}
    %o = gpu.alloc host_shared () : memref<32xf32>
    {host}
    return %o : memref<32xf32>
  }}
  gpu.module @m {{
    gpu.func @k(%o: memref<32xf32>{parameters}) kernel {attributes} {{
      {HEAD}
      {kernel}
      gpu.return
    }}
  }}
}}
"""


def result(text: str, target: str = "pvc", checks: str = "") -> list[float]:
    found = run(text, device=Device(target, checks=checks), filename="t.mlir")
    assert isinstance(found, np.ndarray)
    return [float(x) for x in found]


IDS = """
      %c15 = arith.constant 15 : index
      %i = gpu.thread_id x
      %g = gpu.global_id x
      %j = arith.subi %c15, %i : index
      %gi = arith.index_cast %g : index to i32
      %f = arith.sitofp %gi : i32 to f32
"""
REVERSED = [*range(15, -1, -1), *range(31, 15, -1)]

SPACES = [
    "3",
    "3 : i32",
    "#gpu.address_space<workgroup>",
    "#spirv.storage_class<Workgroup>",
    "#xegpu<memory_space slm>",
]


@pytest.mark.parametrize("target", ["pvc", "arc"])
@pytest.mark.parametrize("space", SPACES)
def test_a_buffer_in_memory_space_3_is_shared_local_memory(space: str, target: str) -> None:
    """Each work-group reverses its numbers in memory of its own; sizes are static, dynamic, or those of a cast."""
    static, dynamic = f"memref<16xf32, {space}>", f"memref<?xf32, {space}>"
    bytes = f"memref<64xi8, {space}>"
    operands = f"%o : memref<32xf32>, %s : {static}, %d : {dynamic}, %v : {static}"
    text = program(
        f"%s = memref.alloc() : {static}\n%d = memref.alloc(%c16) : {dynamic}\n%b = memref.alloc() : {bytes}\n"
        f"%v = memref.view %b[%c0][] : {bytes} to {static}\n{LAUNCH} args({operands})",
        f", %s: {static}, %d: {dynamic}, %v: {static}",
        f"""{IDS}
        memref.store %f, %s[%i] : {static}
        %n = memref.dim %d, %c0 : {dynamic}
        %ni = arith.index_cast %n : index to i32
        %nf = arith.sitofp %ni : i32 to f32
        memref.store %nf, %d[%i] : {dynamic}
        memref.store %f, %v[%i] : {static}
        gpu.barrier
        %x = memref.load %s[%j] : {static}
        %y = memref.load %d[%j] : {dynamic}
        %z = memref.load %v[%i] : {static}
        %p = arith.mulf %x, %y : f32
        %q = arith.addf %p, %z : f32
        memref.store %q, %o[%g] : memref<32xf32>""",
    )
    assert result(text, target, "all") == [16 * x + i for i, x in enumerate(REVERSED)]


def test_the_kernel_sees_bytes_of_shared_local_memory_as_other_elements() -> None:
    text = program(
        f"%s = memref.alloc() : memref<64xi8, 3>\n{LAUNCH} args(%o : memref<32xf32>, %s : memref<64xi8, 3>)",
        ", %s: memref<64xi8, 3>",
        f"""{IDS}
        %w = memref.view %s[%c0][] : memref<64xi8, 3> to memref<16xf32, 3>
        memref.store %f, %w[%i] : memref<16xf32, 3>
        gpu.barrier
        %x = memref.load %w[%j] : memref<16xf32, 3>
        memref.store %x, %o[%g] : memref<32xf32>""",
    )
    assert result(text) == REVERSED


def test_shared_local_memory_is_as_large_as_the_argument() -> None:
    text = program(
        f"%s = memref.alloc() : memref<8xf32, 3>\n{LAUNCH} args(%o : memref<32xf32>, %s : memref<8xf32, 3>)",
        ", %s: memref<8xf32, 3>",
        f"{IDS}\n%n = arith.muli %g, %c4096 : index\nmemref.store %f, %s[%n] : memref<8xf32, 3>",
    )
    with pytest.raises(ProgramError, match=r"'gpu\.launch_func' op .*access outside of shared local memory"):
        result(text)


def test_two_views_of_one_buffer_are_refused() -> None:
    text = program(
        "%s = memref.alloc() : memref<64xi8, 3>\n%v = memref.view %s[%c16][] : memref<64xi8, 3> to memref<4xf32, 3>\n"
        f"{LAUNCH} args(%o : memref<32xf32>, %s : memref<64xi8, 3>, %v : memref<4xf32, 3>)",
        ", %s: memref<64xi8, 3>, %v: memref<4xf32, 3>",
        "",
    )
    with pytest.raises(ProgramError, match="passes arguments 1 and 2 in one buffer of shared local memory"):
        result(text)


@pytest.mark.parametrize("uses", [True, False])
def test_dynamic_shared_memory(uses: bool) -> None:
    space = "#gpu.address_space<workgroup>"
    kernel = f"""{IDS}
        %d = gpu.dynamic_shared_memory : memref<?xi8, {space}>
        %w = memref.view %d[%c0][] : memref<?xi8, {space}> to memref<16xf32, {space}>
        memref.store %f, %w[%i] : memref<16xf32, {space}>
        gpu.barrier
        %x = memref.load %w[%j] : memref<16xf32, {space}>
        memref.store %x, %o[%g] : memref<32xf32>"""
    text = program(
        f"%n = arith.constant 64 : i32\n{LAUNCH} dynamic_shared_memory_size %n args(%o : memref<32xf32>)",
        "",
        kernel if uses else "",
    )
    assert result(text) == (REVERSED if uses else [0] * 32)


@pytest.mark.parametrize("offset", ["8", "?"])
def test_views_of_buffers(offset: str) -> None:
    """A kernel gets the view's first element, whether or not its type says where that is."""
    layout = f"strided<[1], offset: {offset}>"
    cast = f"memref.cast %s : memref<16xf32, strided<[1], offset: 8>> to memref<16xf32, {layout}>"
    text = program(
        "%s = memref.subview %o[8][16][1] : memref<32xf32> to memref<16xf32, strided<[1], offset: 8>>\n"
        f"%v = {cast}\n{ONE} args(%v : memref<16xf32, {layout}>)",
        f", %v: memref<16xf32, {layout}>",
        f"{IDS}\nmemref.store %f, %v[%i] : memref<16xf32, {layout}>",
    ).replace("(%o: memref<32xf32>, %v", "(%v")
    assert result(text) == [*[0] * 8, *range(16), *[0] * 8]


RANKED = """
        %r = memref.rank %u : memref<*xf32>
        %is = arith.cmpi eq, %r, %c2 : index
        %v = scf.if %is -> f32 {
          %a = memref.cast %u : memref<*xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
          %x = memref.load %a[%c1, %i] : memref<?x?xf32, strided<[?, ?], offset: ?>>
          scf.yield %x : f32
        } else {
          %a = memref.cast %u : memref<*xf32> to memref<2x?x16xf32>
          %x = memref.load %a[%c1, %c1, %i] : memref<2x?x16xf32>
          scf.yield %x : f32
        }
        %d = memref.dim %u, %c0 : memref<*xf32>
        %di = arith.index_cast %d : index to i32
        %df = arith.sitofp %di : i32 to f32
        %w = arith.addf %v, %df : f32
        memref.store %w, %o[%g] : memref<32xf32>"""


@pytest.mark.parametrize(
    ("type", "first", "expected"), [("2x3x16", 0, 16.0 * 4 + 2), ("4x32", 0, 32.0 + 4), ("4x16", 16, 36.0)]
)
def test_unranked_memrefs_of_any_rank(type: str, first: int, expected: float) -> None:
    """Buffers hold 0, 1, 2, ...; of the last one, the kernel sees every other column of a larger buffer."""
    made = f"%b = gpu.alloc host_shared () : memref<{type}xf32>\n"
    made += f"%u = memref.cast %b : memref<{type}xf32> to memref<*xf32>"
    shape = [int(n) for n in type.split("x")]
    if first:
        made = (
            "%b = gpu.alloc host_shared () : memref<4x32xf32>\n"
            "%s = memref.subview %b[0, 0][4, 16][1, 2] : memref<4x32xf32> to memref<4x16xf32, strided<[32, 2]>>\n"
            "%u = memref.cast %s : memref<4x16xf32, strided<[32, 2]>> to memref<*xf32>"
        )
    size = 128 if first else int(np.prod(shape))
    whole = "4x32" if first else type
    fill = f"""
    %n = arith.constant {size} : index
    %flat = memref.collapse_shape %b [[{", ".join(map(str, range(len(whole.split("x")))))}]]
      : memref<{whole}xf32> into memref<{size}xf32>
    scf.for %e = %c0 to %n step %c1 {{
      %ei = arith.index_cast %e : index to i32
      %ef = arith.sitofp %ei : i32 to f32
      memref.store %ef, %flat[%e] : memref<{size}xf32>
    }}"""
    launch = f"{ONE} args(%o : memref<32xf32>, %u : memref<*xf32>)"
    text = program(f"{made}\n{fill}\n{launch}", ", %u: memref<*xf32>", IDS + RANKED)
    step = 2 if first else 1
    assert result(text, checks="uninitialized")[:16] == [expected + step * i for i in range(16)]


TILE = """
        %a = memref.cast %u : memref<*xf32> to memref<32x16xf32>
        %d = xegpu.create_nd_tdesc %a[8, 0] : memref<32x16xf32> -> !xegpu.tensor_desc<8x16xf32>
        %v = arith.constant dense<2.0> : vector<8x16xf32>
        xegpu.store_nd %v, %d : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>"""


@pytest.mark.parametrize("target", ["pvc", "arc"])
def test_unranked_memrefs_become_descriptors(target: str) -> None:
    text = program("", ", %u: memref<*xf32>", TILE, "attributes {VectorComputeFunctionINTEL}")
    device = Device(target)
    kernel = device.compile(text)["k"]
    assert kernel.parameter_names == ("o", "u")
    array = np.zeros((32, 16), np.float32)
    kernel[1](np.zeros(32, np.float32), array)
    assert array.sum(axis=1).tolist() == [32.0 * (8 <= row < 16) for row in range(32)]
    with pytest.raises(
        LaunchError, match=r"expected memref<\*xf32> of 2 dimensions, got float32 array of shape \(4,\)"
    ):
        kernel[1](np.zeros(32, np.float32), np.zeros(4, np.float32))
    with pytest.raises(LaunchError, match="element type float64, expected float32"):
        kernel[1](np.zeros(32, np.float32), np.zeros((32, 16)))


@pytest.mark.parametrize(
    "kernel",
    [
        "%u2 = memref.reshape %u(%s) : (memref<*xf32>, memref<1xindex>) -> memref<?xf32>",
        "memref.copy %u, %o : memref<*xf32> to memref<32xf32>",
        "%v = scf.if %t -> memref<*xf32> {\nscf.yield %u : memref<*xf32>\n} else {\nscf.yield %u : memref<*xf32>\n}\n"
        "%a = memref.cast %v : memref<*xf32> to memref<?xf32>\n%x = memref.load %o[%c1] : memref<32xf32>\n"
        "memref.store %x, %a[%c0] : memref<?xf32>",
    ],
)
def test_what_kernels_cannot_do_with_unranked_memrefs(kernel: str) -> None:
    text = program("", ", %u: memref<*xf32>, %s: memref<1xindex>, %t: i1", kernel)
    with pytest.raises(CompileError, match=r"of memref<\*xf32> is not supported in a kernel: .*ranked memref"):
        Device().compile(text)
