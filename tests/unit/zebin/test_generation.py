"""From MLIR to `.ze_info`: each key says what is so in one kernel and not in another."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from passes.pipelines import compile_to_kernels
from xegpu.targets import ARC, PVC, Target
from zebin import ZebinKernel, build, read
from zebin.ze_info.vocabulary import ArgType

Key = Callable[[ZebinKernel], object]


def kernel(body: str, arguments: str = "", attributes: str = "", *, target: Target = PVC) -> ZebinKernel:
    clause = f"attributes {{{attributes}}}" if attributes else ""
    text = f"gpu.module @m {{\ngpu.func @k({arguments}) kernel {clause} {{\n{body}\ngpu.return\n}}\n}}\n"
    return read(build(target, compile_to_kernels(text, target)), strict=True).kernels["k"]


def env(name: str) -> Key:
    return lambda kernel: getattr(kernel.execution_env, name)


MEMREF = "memref<64xf32>"
PLAIN = ("%i = gpu.thread_id x\n%v = memref.load %a[%i] : memref<64xf32>", f"%a: {MEMREF}, %b: {MEMREF}")
STORE = (f"{PLAIN[0]}\nmemref.store %v, %b[%i] : {MEMREF}", PLAIN[1])
NOTHING = ("", "")
TILES = "%a: memref<8x16xf16>, %b: memref<16x16xf16>, %c: memref<8x16xf32>"
MATRIX = """
  %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16>
  %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<16x16xf16> -> !xegpu.tensor_desc<16x16xf16>
  %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
  %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  %vb = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
"""
PRODUCT = (
    f"""{MATRIX}
  %vc = xegpu.dpas %va, %vb : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
  xegpu.store_nd %vc, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>""",
    TILES,
)
NO_PRODUCT = (
    f"""{MATRIX}
  %vc = arith.constant dense<1.0> : vector<8x16xf32>
  xegpu.store_nd %vc, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>""",
    TILES,
)
HINTED = (
    NO_PRODUCT[0].replace(
        "xegpu.store_nd %vc, %tc", "xegpu.store_nd %vc, %tc <{l1_hint = #xegpu.cache_hint<uncached>}>"
    ),
    TILES,
)
ATOMIC = (f"{STORE[0]}\n%r = memref.atomic_rmw addf %v, %b[%i] : (f32, {MEMREF}) -> f32", PLAIN[1])
SHARED = f"%s = memref.alloc() : memref<256xf32, 3>\n{PLAIN[0]}\nmemref.store %v, %s[%i] : memref<256xf32, 3>"
SHARED_ONLY = """%s = memref.alloc() : memref<256xf32, 3>
%i = gpu.thread_id x
%v = memref.load %s[%i] : memref<256xf32, 3>
memref.store %v, %s[%i] : memref<256xf32, 3>"""
PRIVATE = f"%p = memref.alloca() : memref<4xf32, 5>\n%j = arith.constant 1 : index\n{PLAIN[0]}\n"
PRIVATE += "memref.store %v, %p[%j] : memref<4xf32, 5>"
POLLING = """
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  scf.while (%x = %zero) : (i32) -> i32 {
    %f = memref.atomic_rmw ori %zero, %flag[%c0] : (i32, memref<1xi32>) -> i32
    %wait = arith.cmpi eq, %f, %zero : i32
    scf.condition(%wait) %f : i32
  } do {
  ^bb0(%y: i32):
    scf.yield %y : i32
  }
"""
COUNTING = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0 : i32
  %s = scf.for %j = %c0 to %c9 step %c1 iter_args(%t = %zero) -> (i32) {
    %f = memref.load %flag[%c0] : memref<1xi32>
    %u = arith.addi %t, %f : i32
    scf.yield %u : i32
  }
  memref.store %s, %flag[%c0] : memref<1xi32>
"""
DESCRIPTOR = "xegpu.create_nd_tdesc {}[0, 0], [%c8, %c16], [%c16, %c1] : i64 -> !xegpu.tensor_desc<8x16xf32>"
ADDRESS = """
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %from = memref.load %p[%c1] : memref<4xi64>
  %t = {}
  %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
  %o = {}
  xegpu.store_nd %v, %o : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
"""
POINTERS = "%p: memref<4xi64>, %n: i64"
DIRECT = (ADDRESS.format(DESCRIPTOR.format("%n"), DESCRIPTOR.format("%n")), POINTERS)
INDIRECT = (ADDRESS.format(DESCRIPTOR.format("%from"), DESCRIPTOR.format("%n")), POINTERS)
LANE = ("%l = gpu.lane_id\n%i = gpu.thread_id x\n" + "%v = memref.load %a[%l] : memref<64xf32>\n", PLAIN[1])
LANE = (f"{LANE[0]}memref.store %v, %b[%i] : {MEMREF}", PLAIN[1])
ABI = "spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 32>"

Arguments = tuple[str, ...]
"""The arguments of `kernel`."""

CHANGES: dict[str, tuple[Key, Arguments, object, Arguments, object]] = {
    "simd_size": (env("simd_size"), STORE, 16, (*STORE, ABI), 32),
    "simd_size, subgroup mode": (env("simd_size"), STORE, 16, (*STORE, "VectorComputeFunctionINTEL"), 1),
    "required_sub_group_size": (env("required_sub_group_size"), STORE, 0, (*STORE, ABI), 32),
    "required_work_group_size": (
        env("required_work_group_size"),
        STORE,
        (0, 0, 0),
        (*STORE, "known_block_size = array<i32: 8, 4, 1>"),
        (8, 4, 1),
    ),
    "barrier_count": (env("barrier_count"), STORE, 0, (f"{STORE[0]}\ngpu.barrier", STORE[1]), 1),
    "slm_size": (env("slm_size"), STORE, 0, (SHARED, STORE[1]), 1024),
    "private_size": (env("private_size"), STORE, 0, (PRIVATE, STORE[1]), 256),
    "has_dpas": (env("has_dpas"), NO_PRODUCT, False, PRODUCT, True),
    "has_global_atomics": (env("has_global_atomics"), STORE, False, ATOMIC, True),
    "has_no_stateless_write": (env("has_no_stateless_write"), STORE, False, (SHARED, STORE[1]), True),
    "has_4gb_buffers": (env("has_4gb_buffers"), STORE, True, (SHARED_ONLY, ""), False),
    "has_lsc_stores": (
        env("has_lsc_stores_with_non_default_l1_cache_controls"),
        NO_PRODUCT,
        False,
        HINTED,
        True,
    ),
    "indirect_stateless_count": (env("indirect_stateless_count"), DIRECT, 0, INDIRECT, 1),
    "thread_scheduling_mode": (
        env("thread_scheduling_mode"),
        (COUNTING, "%flag: memref<1xi32>"),
        None,
        (POLLING, "%flag: memref<1xi32>"),
        "round_robin",
    ),
    "walk order": (
        lambda kernel: kernel.info.user_attributes and kernel.info.user_attributes.intel_reqd_workgroup_walk_order,
        STORE,
        None,
        LANE,
        (0, 1, 2),
    ),
    "local ids": (
        lambda kernel: [argument.size for argument in kernel.per_thread_payload_arguments],
        NOTHING,
        [],
        STORE,
        [64],
    ),
    "local ids of two dimensions": (
        lambda kernel: [argument.size for argument in kernel.per_thread_payload_arguments],
        STORE,
        [64],
        (f"{STORE[0]}\n%y = gpu.thread_id y\nmemref.store %v, %a[%y] : {MEMREF}", STORE[1]),
        [128],
    ),
    "enqueued_local_size": (
        lambda kernel: ArgType.ENQUEUED_LOCAL_SIZE in {a.arg_type for a in kernel.payload_arguments},
        STORE,
        False,
        (STORE[0].replace("thread_id", "global_id"), STORE[1]),
        True,
    ),
    "group_count": (
        lambda kernel: ArgType.GROUP_COUNT in {a.arg_type for a in kernel.payload_arguments},
        STORE,
        False,
        (STORE[0].replace("gpu.thread_id", "gpu.grid_dim"), STORE[1]),
        True,
    ),
    "access_type": (
        lambda kernel: [str(a.access_type) for a in kernel.payload_arguments if a.arg_index == 1],
        (STORE[0].replace("store %v, %b", "store %v, %a"), STORE[1]),
        ["readwrite"],
        STORE,
        ["writeonly"],
    ),
    "addrspace and addrmode": (
        lambda kernel: [(a.addrspace, a.addrmode) for a in kernel.payload_arguments if a.arg_index == 0],
        STORE,
        [("global", "stateless")],
        ("", "%a: memref<4xf32, 3>"),
        [("local", "slm")],
    ),
    "is_ptr": (
        lambda kernel: [a.is_ptr for a in kernel.payload_arguments if a.arg_index == 1],
        ("", POINTERS),
        [False],
        DIRECT,
        [True],
    ),
    "args_info": (
        lambda kernel: [(a.name, a.type_name) for a in kernel.args_info],
        ("", "%x: f16"),
        [("x", "f16;2")],
        ("", "%y: memref<?xi8>"),
        [("y", "memref<?xi8>;8"), ("y.size0", "index;8")],
    ),
}


@pytest.mark.parametrize(("key", "first", "before", "second", "after"), CHANGES.values(), ids=CHANGES)
def test_a_key_follows_the_kernel(key: Key, first: Arguments, before: object, second: Arguments, after: object) -> None:
    assert key(kernel(*first)) == before
    assert key(kernel(*second)) == after


def pressure(tiles: int) -> ZebinKernel:
    """A kernel that keeps so many registers' worth of values."""
    loads = "\n".join(
        f"%t{n} = xegpu.create_nd_tdesc %a[{8 * n}, 0] : memref<4096x16xf32> -> !xegpu.tensor_desc<8x16xf32>\n"
        f"%v{n} = xegpu.load_nd %t{n} : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>"
        for n in range(tiles)
    )
    stores = "\n".join(
        f"xegpu.store_nd %v{tiles - 1 - n}, %t{n} : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>"
        for n in range(tiles)
    )
    return kernel(f"{loads}\n{stores}", "%a: memref<4096x16xf32>", "VectorComputeFunctionINTEL")


def test_registers_and_spills_follow_the_pressure() -> None:
    small, large, spilling = pressure(2), pressure(24), pressure(48)
    assert (small.execution_env.grf_count, small.execution_env.eu_thread_count) == (128, 8)
    assert (large.execution_env.grf_count, large.execution_env.eu_thread_count) == (256, 4)
    assert small.execution_env.spill_size == large.execution_env.spill_size == 0
    assert not large.per_thread_memory_buffers
    (buffer,) = spilling.per_thread_memory_buffers
    assert (buffer.type, buffer.usage, buffer.slot) == ("scratch", "spill_fill_space", 0)
    assert buffer.size == spilling.execution_env.spill_size > 0


def test_private_memory_is_a_buffer() -> None:
    (buffer,) = kernel(PRIVATE, STORE[1]).per_thread_memory_buffers
    assert (buffer.type, buffer.usage, buffer.size, buffer.slot) == ("scratch", "private_space", 256, 1)


def test_rows_of_local_ids_are_the_targets_registers() -> None:
    (argument,) = kernel(*STORE, target=ARC).per_thread_payload_arguments
    assert argument.size == 32


def test_cost_follows_the_loops() -> None:
    def loops(text: str) -> int:
        compiled = compile_to_kernels(
            f"gpu.module @m {{ gpu.func @k(%flag: memref<1xi32>) kernel {{{text}gpu.return}} }}", PVC
        )
        ze_info = read(build(PVC, compiled)).ze_info
        assert ze_info is not None
        return len(ze_info.kernels_cost_info[0].kcm_loop_count_exps)

    assert loops("\n") == 0
    assert loops(f"{COUNTING}\n") == 1


def test_variables_are_in_the_host_access_table() -> None:
    def table(variables: str) -> list[str]:
        text = f"gpu.module @m {{ {variables} gpu.func @k() kernel {{ gpu.return }} }}"
        ze_info = read(build(PVC, compile_to_kernels(text, PVC))).ze_info
        assert ze_info is not None
        return [entry.host_name for entry in ze_info.global_host_access_table]

    assert table("") == []
    assert table('memref.global "private" @x : memref<4xf32> = dense<1.0>') == []
    assert table("memref.global @x : memref<4xf32> = dense<1.0>") == ["x"]
