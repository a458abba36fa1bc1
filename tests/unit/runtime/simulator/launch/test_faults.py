"""Every kind of fault: its fields, and the report that people read. The same in every engine."""

from __future__ import annotations

import re

import numpy as np
import pytest

from runtime.simulator import DeviceFault, FaultKind, Memory
from runtime.simulator.engines import ENGINES
from tests.unit.runtime.simulator.programs.assembled import launch
from xegpu.isa.model import Dim3

pytestmark = pytest.mark.parametrize("engine", sorted(ENGINES))

# Lane n works at the address in the first argument plus n times the second argument.
LANES = """
    (W) mov (8|M0) r21.0:uw 0x76543210:uv
    (W) add (8|M0) r21.8:uw r21.0:uw 8:uw
    (W) mul (16|M0) r22:uq r21:uw r1.1<0>:uq
    (W) add (16|M0) r22:uq r22:uq r1.0<0>:uq
    {message}
    eot
"""
OFFSET = 0x50
"""Of the message, behind header and four instructions."""


def fault(
    engine: str,
    memory: Memory,
    text: str,
    arguments: tuple[int, ...] = (),
    groups: Dim3 = (1, 1, 1),
    local: Dim3 = (16, 1, 1),
    limit: int = 1 << 20,
    scratch_size: int = 0,
) -> DeviceFault:
    with pytest.raises(DeviceFault) as caught:
        launch(memory, text, groups, local, arguments, engine=engine, limit=limit, scratch_size=scratch_size)
    assert caught.value.kernel == "test"
    return caught.value


def test_out_of_bounds(engine: str) -> None:
    memory = Memory()
    allocation = memory.allocate(40, label="a")
    text = LANES.format(message="load.ugm.d32.a64 (16|M0) r30 flat[r22]")
    error = fault(engine, memory, text, (allocation.address, 4))
    assert error.kind is FaultKind.OUT_OF_BOUNDS
    assert (error.group, error.subgroup, error.lane) == ((0, 0, 0), 0, 10)
    assert (error.offset, error.address, error.size) == (OFFSET, allocation.address + 40, 4)
    assert error.access == "read"
    assert error.nearest is allocation
    assert str(error) == (
        "out-of-bounds access in kernel 'test'\n"
        "  at: work-group (0, 0, 0), subgroup 0, lane 10\n"
        "  instruction at offset 0x50: load.ugm.d32.a64 (16|M0) r30:1 flat[r22]:2\n"
        f"  read of 4 bytes at {error.address:#x}\n"
        f"  nearest allocation: device memory 'a', 40 bytes at {allocation.address:#x}; "
        "the access starts 0 bytes behind its end"
    )


@pytest.mark.parametrize(
    ("start", "size", "where"),
    [
        (36, 8, "the access starts at its byte 36 and runs 4 bytes over its end"),
        (48, 4, "the access starts 8 bytes behind its end"),
        (-8, 4, "the access starts 8 bytes before it"),
        (-4, 64, "the access starts 4 bytes before it"),
    ],
)
def test_the_report_tells_where_an_access_lies(engine: str, start: int, size: int, where: str) -> None:
    memory = Memory()
    allocation = memory.allocate(40)
    text = LANES.format(message=f"store.ugm.d32x{size // 4}t.a64 (1|M0) flat[r22] r30")
    error = fault(engine, memory, text, (allocation.address + start, 0))
    assert error.size == size
    assert str(error).endswith(f"40 bytes at {allocation.address:#x}; {where}")


def test_memory_that_was_freed(engine: str) -> None:
    memory = Memory()
    allocation = memory.allocate(64, label="weights")
    memory.free(allocation)
    text = LANES.format(message="load.ugm.d32.a64 (1|M0) r30 flat[r22]")
    error = fault(engine, memory, text, (allocation.address + 8, 0))
    assert error.kind is FaultKind.USE_AFTER_FREE
    assert str(error).startswith("use after free in kernel 'test'\n")
    assert str(error).endswith(
        f"allocation: freed device memory 'weights', 64 bytes at {allocation.address:#x}; "
        "the access starts at its byte 8"
    )
    memory.register(allocation.address + 32, 16, "host")
    error = fault(engine, memory, text, (allocation.address, 0))
    assert error.kind is FaultKind.OUT_OF_BOUNDS


def test_where_nothing_is_live(engine: str) -> None:
    text = LANES.format(message="load.ugm.d32.a64 (1|M0) r30 flat[r22]")
    error = fault(engine, Memory(), text, (64, 0))
    assert (error.kind, error.nearest) == (FaultKind.OUT_OF_BOUNDS, None)
    assert str(error).endswith("nearest allocation: none is live")


def test_an_access_may_not_cross_from_one_allocation_to_the_next(engine: str) -> None:
    memory = Memory()
    array = np.zeros(128, np.uint8)
    start = array.ctypes.data + -array.ctypes.data % 64
    first = memory.register(start, 32, "host")
    memory.register(start + 32, 32, "host")
    text = LANES.format(message="load.ugm.d32x4t.a64 (1|M0) r30 flat[r22]")
    error = fault(engine, memory, text, (start + 20, 0))
    assert (error.kind, error.size, error.lane, error.nearest) == (FaultKind.OUT_OF_BOUNDS, 16, None, first)


def test_store_to_read_only_memory(engine: str) -> None:
    memory = Memory()
    array = np.zeros(16, np.uint32)
    memory.register(array.ctypes.data, array.nbytes, "host", "weights", writable=False)
    launch(memory, LANES.format(message="load.ugm.d32.a64 (16|M0) r30 flat[r22]"), arguments=(array.ctypes.data, 4))
    text = LANES.format(message="store.ugm.d32.a64 (16|M0) flat[r22] r30")
    error = fault(engine, memory, text, (array.ctypes.data, 4))
    assert (error.kind, error.lane, error.access) == (FaultKind.READ_ONLY, 0, "write")
    assert str(error).startswith("store to read-only memory in kernel 'test'\n")
    assert "write of 4 bytes" in str(error)
    assert "host memory 'weights'" in str(error)


def test_misaligned(engine: str) -> None:
    memory = Memory()
    allocation = memory.allocate(256)
    text = LANES.format(message="store.ugm.d64.a64 (16|M0) flat[r22] r30")
    error = fault(engine, memory, text, (allocation.address, 12))
    assert (error.kind, error.lane, error.address) == (FaultKind.MISALIGNED, 1, allocation.address + 12)
    assert str(error).startswith("misaligned access in kernel 'test': the address is no multiple of 8\n")


def test_lanes_that_are_off_do_not_fault(engine: str) -> None:
    memory = Memory()
    allocation = memory.allocate(12)
    text = LANES.format(message="load.ugm.d32.a64 (16|M0) r30 flat[r22]")
    launch(memory, text, local=(3, 1, 1), arguments=(allocation.address, 4), engine=engine)
    error = fault(engine, memory, text, (allocation.address, 4), local=(4, 1, 1))
    assert error.lane == 3


def test_the_place_names_group_thread_and_lane_of_the_subgroup(engine: str) -> None:
    """Only the last thread of the last group faults; its channel offset counts."""
    memory = Memory()
    program = """
        (W) cmp (1|M0) (eq)f0.0 null:ud r0.1:ud 2:ud
        (W&~f0.0) jmpi (1|M0) done
        (W) cmp (1|M0) (eq)f0.0 null:ud r0.7:ud 1:ud
        (W&~f0.0) jmpi (1|M0) done
        (W) cmp (1|M0) (eq)f0.0 null:ub r0.8:ub 1:ub
        (W&~f0.0) jmpi (1|M0) done
        (W) mov (16|M0) r10:uq 0:uq
        load.ugm.d32.a64 (4|M8) r30 flat[r10]
    done:
        eot
    """
    error = fault(engine, memory, program, groups=(3, 1, 2), local=(32, 1, 1))
    assert (error.group, error.subgroup, error.lane) == ((2, 0, 1), 1, 8)
    assert "work-group (2, 0, 1), subgroup 1, lane 8" in str(error)


def test_illegal_instruction(engine: str) -> None:
    error = fault(engine, Memory(), "nop\nillegal\neot")
    assert (error.kind, error.offset, error.lane, error.address) == (FaultKind.ILLEGAL_INSTRUCTION, 0x20, None, None)
    assert str(error) == (
        "illegal instruction in kernel 'test'\n"
        "  at: work-group (0, 0, 0), subgroup 0\n"
        "  instruction at offset 0x20: illegal"
    )


def test_endless_loop(engine: str) -> None:
    error = fault(engine, Memory(), "loop: nop\njmpi (1|M0) loop", limit=1000)
    assert (error.kind, error.offset) == (FaultKind.RUNAWAY, 0x20)
    assert str(error).startswith("endless loop in kernel 'test': 1002 instructions were executed, the limit is 1000\n")


def test_the_limit_is_for_each_thread_and_for_loops(engine: str) -> None:
    program = "(W) mov (1|M0) r9:d {n}:d\nloop: (W) add (1|M0) (gt)f0.0 r9:d r9:d -1:d\n(W&f0.0) jmpi (1|M0) loop\neot"
    statistics = launch(Memory(), program.format(n=50), (4, 1, 1), (64, 1, 1), engine=engine, limit=99)
    assert statistics.instructions == 16 * 102  # 99 at the last backward jump that is taken
    error = fault(engine, Memory(), program.format(n=51), limit=99)
    assert error.kind is FaultKind.RUNAWAY
    launch(Memory(), "nop\n" * 200 + "eot", engine=engine, limit=99)


@pytest.mark.parametrize(
    ("address", "message"),
    [(-4, "load.ugm.d32.a32 (1|M0) r30 ss[r9]"), (100, "store.ugm.d32x8t.a32 (1|M0) ss[r9] r30")],
)
def test_scratch_overflow(engine: str, address: int, message: str) -> None:
    error = fault(engine, Memory(), f"(W) mov (1|M0) r9:d {address}:d\n{message}\neot", scratch_size=128)
    assert error.kind is FaultKind.SCRATCH_OVERFLOW
    assert error.address == address % (1 << 32)
    assert str(error).startswith("access outside of scratch space in kernel 'test': the thread has 128 bytes\n")
    assert "nearest allocation" not in str(error)


# Base, and the dwords behind it: width, height, pitch (all minus 1), x, y, shape.
GOOD_BLOCK = (63, 7, 63, 0, 0, 15 | 7 << 8)
BLOCK = """
    (W) mov (1|M0) r9.0:uq r1.0:uq
    (W) mov (1|M0) r9.1:uq r1.1:uq
    (W) mov (1|M0) r9.2:uq r1.2:uq
    (W) mov (1|M0) r9.3:uq r1.3:uq
    {message}
    eot
"""


def _block_arguments(base: int, dwords: tuple[int, ...]) -> tuple[int, ...]:
    packed = np.array(dwords, np.int64).astype(np.uint32).view(np.uint64)
    return (base, *map(int, packed))


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        (0, 59, "surface width 60 is not from 64 to 16777216"),
        (0, 64, "surface width 0x41 is no multiple of 4"),
        (0, 67, "surface pitch 64 is not from 68 to 16777216"),
        (0, -1, "surface width 4294967296 is not from 64 to 16777216"),
        (1, 1 << 24, "surface height 16777217 is not from 1 to 16777216"),
        (2, 71, "surface pitch 0x48 is no multiple of 16"),
        (5, 15 | 6 << 8, "payload shape 0x60f is not the message's, 0x70f"),
    ],
)
def test_bad_block(engine: str, field: int, value: int, text: str) -> None:
    memory = Memory()
    allocation = memory.allocate(64 * 8)
    program = BLOCK.format(message="load_block2d.ugm.d32.a64 (1|M0) r30 flat[r9] 16x8x1")
    launch(memory, program, arguments=_block_arguments(allocation.address, GOOD_BLOCK), engine=engine)
    dwords = (*GOOD_BLOCK[:field], value, *GOOD_BLOCK[field + 1 :])
    error = fault(engine, memory, program, _block_arguments(allocation.address, dwords))
    assert (error.kind, error.lane, error.address, error.offset) == (FaultKind.BAD_BLOCK, None, None, OFFSET)
    assert str(error).startswith(f"bad block-2D message in kernel 'test': {text}\n")


def test_bad_block_base_and_start(engine: str) -> None:
    memory = Memory()
    allocation = memory.allocate(64 * 9)
    program = BLOCK.format(message="load_block2d.ugm.d8.a64 (1|M0) r30 flat[r9] 16x8x1")
    error = fault(engine, memory, program, _block_arguments(allocation.address + 4, GOOD_BLOCK))
    assert re.search("surface base 0x[0-9a-f]+4 is no multiple of 64", str(error))
    error = fault(engine, memory, program, _block_arguments(allocation.address, (63, 7, 63, 2, 0, GOOD_BLOCK[5])))
    assert "byte of the row where the block starts 0x2 is no multiple of 4" in str(error)


def test_a_surface_may_be_aligned_from_the_first_byte_of_its_allocation(engine: str) -> None:
    memory, room = Memory(), np.zeros(64 * 24 + 64, np.uint8)
    first = room.ctypes.data + -room.ctypes.data % 64 + 16
    memory.register(first, 64 * 8, "host")
    memory.register(first + 64 * 8 + 4, 64 * 8, "host")
    memory.register(first + 64 * 17, 64, "host", writable=False)
    for operands in ("load_block2d.ugm.d32.a64 (1|M0) r30 flat[r9]", "store_block2d.ugm.d32.a64 (1|M0) flat[r9] r30"):
        program = BLOCK.format(message=f"{operands} 16x8x1")
        for base in (first, first + 64 * 8 + 4):
            launch(memory, program, arguments=_block_arguments(base, GOOD_BLOCK), engine=engine)
        for base in (first + 4, first + 24, first + 64 * 8 + 20, first + 64 * 16 + 4):
            error = fault(engine, memory, program, _block_arguments(base, GOOD_BLOCK))
            assert f"surface base {base:#x} is no multiple of 64" in str(error)
    error = fault(engine, memory, program, _block_arguments(first + 64 * 17, (63, 0, 63, 0, 0, GOOD_BLOCK[5])))
    assert error.kind is FaultKind.READ_ONLY


def test_a_block_must_lie_in_one_allocation_as_far_as_it_is_inside_of_the_surface(engine: str) -> None:
    memory = Memory()
    allocation = memory.allocate(64 * 4)
    program = BLOCK.format(message="store_block2d.ugm.d32.a64 (1|M0) flat[r9] r30 16x8x1")
    inside = (63, 3, 63, 0, -3, GOOD_BLOCK[5])  # the surface has four rows, like the allocation
    launch(memory, program, arguments=_block_arguments(allocation.address, inside), engine=engine)
    error = fault(engine, memory, program, _block_arguments(allocation.address, (63, 4, 63, 0, -3, GOOD_BLOCK[5])))
    assert (error.kind, error.address, error.size) == (FaultKind.OUT_OF_BOUNDS, allocation.address, 64 * 5)
    assert (error.lane, error.access, error.nearest) == (None, "write", allocation)
    outside = (63, 3, 63, 0, 4, GOOD_BLOCK[5])  # below the surface: nothing is accessed
    launch(memory, program, arguments=_block_arguments(1 << 40, outside), engine=engine)


def test_prefetches_never_fault(engine: str) -> None:
    """At addresses where loads do."""
    lanes = LANES.format(message="{message} flat[r22]")
    fault(engine, Memory(), lanes.format(message="load.ugm.d32.a64 (16|M0) r30"), (1, 1))
    launch(Memory(), lanes.format(message="prefetch.ugm.d32.a64 (16|M0)"), arguments=(1, 1), engine=engine)
    load = BLOCK.format(message="load_block2d.ugm.d32.a64 (1|M0) r30 flat[r9] 16x8x1")
    prefetch = BLOCK.format(message="prefetch_block2d.ugm.d32.a64 (1|M0) flat[r9] 16x8x1")
    for arguments in (_block_arguments(1 << 40, (63, 3, 63, 0, 0, GOOD_BLOCK[5])), (1, 2, 3, 4)):
        fault(engine, Memory(), load, arguments)
        launch(Memory(), prefetch, arguments=arguments, engine=engine)
