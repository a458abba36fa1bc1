"""Tests of the ids that threads see, in both kernel modes, in one to three dimensions."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import Array, compile_one, kernel_text, run
from xegpu.isa.model import Dim3

SUBGROUP = "VectorComputeFunctionINTEL"
KINDS = ["block_id", "thread_id", "block_dim", "grid_dim", "global_id"]

GRIDS: list[tuple[Dim3, Dim3]] = [
    ((3, 1, 1), (1, 1, 1)),
    ((1, 1, 1), (16, 1, 1)),
    ((2, 1, 1), (40, 1, 1)),
    ((2, 3, 1), (5, 2, 1)),
    ((1, 2, 2), (3, 4, 5)),
    ((2, 1, 2), (17, 3, 2)),
]


def text(mode: str) -> str:
    """Every work-item writes all its ids, at the place that its global id has."""
    lines = [f"%{kind}_{d} = gpu.{kind} {d}" for kind in KINDS for d in "xyz"]
    lines += [f"%size_{d} = arith.muli %block_dim_{d}, %grid_dim_{d} : index" for d in "xyz"]
    lines.append("%zy = arith.muli %global_id_z, %size_y : index\n%zy_y = arith.addi %zy, %global_id_y : index")
    lines.append("%row = arith.muli %zy_y, %size_x : index\n%item = arith.addi %row, %global_id_x : index")
    for number, (kind, d) in enumerate(product(KINDS, "xyz")):
        lines.append(f"%n{number} = arith.constant {number} : index")
        lines.append(f"%v{number} = arith.index_cast %{kind}_{d} : index to i32")
        lines.append(f"memref.store %v{number}, %m[%item, %n{number}] : memref<?x15xi32>")
    return kernel_text("%m: memref<?x15xi32>", "\n".join(lines), mode)


def expected(groups: Dim3, local: Dim3) -> Array:
    sizes = [g * s for g, s in zip(groups, local, strict=True)]
    rows = []
    for z, y, x in product(*(range(s) for s in reversed(sizes))):
        place = (x, y, z)
        group = [p // s for p, s in zip(place, local, strict=True)]
        inside = [p % s for p, s in zip(place, local, strict=True)]
        rows.append([*group, *inside, *local, *groups, *place])
    return np.array(rows, np.int32)


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("mode", [SUBGROUP, ""], ids=["subgroup", "work-item"])
@pytest.mark.parametrize(("groups", "local"), GRIDS)
def test_ids(groups: Dim3, local: Dim3, mode: str) -> None:
    kernel = compile_one(text(mode))
    assert kernel.facts.simd_size == (1 if mode else 16)
    wanted = expected(groups, local)
    if mode and np.prod(local) > 64:
        local, groups = groups, local  # a group has room for 64 threads
        wanted = expected(groups, local)
    result = run(kernel, np.full(wanted.shape, -1, np.int32), len(wanted), groups=groups, local=local)[0]
    np.testing.assert_array_equal(result, wanted)


@pytest.mark.parametrize("size", ["", "known_block_size = array<i32: 16, 2, 1>"], ids=["any size", "known size"])
@pytest.mark.parametrize("mode", [SUBGROUP, ""], ids=["subgroup", "work-item"])
def test_global_ids_begin_at_the_offset_of_the_launch(mode: str, size: str) -> None:
    """And nothing else does."""
    body = "".join(f"%{kind}_{d} = gpu.{kind} {d}\n" for kind in KINDS for d in "xyz")
    body += "".join(
        f"%s_{d} = arith.muli %block_id_{d}, %block_dim_{d} : index\n"
        f"%i_{d} = arith.addi %s_{d}, %thread_id_{d} : index\n"
        f"%w_{d} = arith.index_cast %global_id_{d} : index to i64\n"
        f"%n_{d} = arith.constant {number} : index\n"
        for number, d in enumerate("xyz")
    )
    body += "".join(
        f"memref.store %w_{d}, %m[%n_{d}, %i_z, %i_y, %i_x] : memref<3x2x4x32xi64>\n" for number, d in enumerate("xyz")
    )
    kernel = compile_one(kernel_text("%m: memref<3x2x4x32xi64>", body, ", ".join(filter(None, (mode, size)))))
    start = (7, (1 << 32) - 1, 100)
    (ids,) = run(kernel, np.zeros((3, 2, 4, 32), np.int64), groups=(2, 2, 2), local=(16, 2, 1), offset=start)
    z, y, x = np.indices((2, 4, 32))
    np.testing.assert_array_equal(ids, np.stack([x + start[0], y + start[1], z + start[2]]))


def test_subgroups_of_work_items() -> None:
    """The last subgroup of a group is not full; its missing lanes write nothing."""
    body = "%g = gpu.global_id x\n" + "".join(
        f"%v{n} = {op}\n%w{n} = arith.index_cast %v{n} : index to i32\n%n{n} = arith.constant {n} : index\n"
        f"memref.store %w{n}, %m[%g, %n{n}] : memref<?x4xi32>\n"
        for n, op in enumerate(
            [
                "gpu.subgroup_id : index",
                "gpu.num_subgroups : index",
                "gpu.subgroup_size : index",
                "gpu.lane_id",
            ]
        )
    )
    kernel = compile_one(kernel_text("%m: memref<?x4xi32>", body, ""))
    result = run(kernel, np.full((80, 4), -1, np.int32), 80, groups=(2, 1, 1), local=(37, 1, 1))[0]
    items = [[i // 16, 3, 16, i % 16] for i in range(37)]
    assert result.tolist() == items * 2 + [[-1] * 4] * 6


def test_subgroups_of_a_subgroup_kernel() -> None:
    body = "%x = gpu.thread_id x\n%y = gpu.thread_id y\n%c3 = arith.constant 3 : index\n"
    body += "%r = arith.muli %y, %c3 : index\n%i = arith.addi %r, %x : index\n"
    for n, op in enumerate(["subgroup_id", "num_subgroups", "subgroup_size"]):
        body += f"%v{n} = gpu.{op} : index\n%w{n} = arith.index_cast %v{n} : index to i32\n"
        body += f"%n{n} = arith.constant {n} : index\nmemref.store %w{n}, %m[%i, %n{n}] : memref<6x3xi32>\n"
    kernel = compile_one(kernel_text("%m: memref<6x3xi32>", body, SUBGROUP))
    result = run(kernel, np.full((6, 3), -1, np.int32), local=(3, 2, 1))[0]
    assert result.tolist() == [[i, 6, 16] for i in range(6)]


@pytest.mark.parametrize("spelling", ["known_block_size", "gpu.known_block_size"])
def test_known_group_size_is_a_constant(spelling: str) -> None:
    body = "%d = gpu.block_dim y\n%v = arith.index_cast %d : index to i32\n%c0 = arith.constant 0 : index\n"
    body += "memref.store %v, %m[%c0] : memref<1xi32>"
    kernel = compile_one(kernel_text("%m: memref<1xi32>", body, f"{spelling} = array<i32: 8, 5, 1>"))
    assert kernel.facts.required_work_group_size == (8, 5, 1)
    assert not kernel.facts.implicit_arguments
    assert run(kernel, np.zeros(1, np.int32))[0].tolist() == [5]


@pytest.mark.parametrize("lanes", [16, 32])
def test_subgroup_size_of_the_entry_point(lanes: int) -> None:
    body = "%g = gpu.global_id x\n%v = arith.index_cast %g : index to i32\nmemref.store %v, %m[%g] : memref<50xi32>"
    mode = f"spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = {lanes}>"
    kernel = compile_one(kernel_text("%m: memref<50xi32>", body, mode))
    assert kernel.facts.simd_size == lanes
    assert run(kernel, np.zeros(50, np.int32), local=(50, 1, 1))[0].tolist() == [*range(50)]


def test_only_what_is_asked_for_is_in_the_payload() -> None:
    body = "%t = gpu.thread_id y\n%v = arith.index_cast %t : index to i32\nmemref.store %v, %m[%t] : memref<9xi32>"
    kernel = compile_one(kernel_text("%m: memref<9xi32>", body, ""))
    assert (kernel.facts.local_id_dimensions, kernel.facts.implicit_arguments) == (2, ())
    none = compile_one(kernel_text("%m: memref<9xi32>", "", ""))
    assert (none.facts.local_id_dimensions, none.facts.implicit_arguments) == (0, ())
