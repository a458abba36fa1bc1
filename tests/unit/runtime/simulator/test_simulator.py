"""Loading and launching: what is refused, what threads see, what is reported."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import prod

import numpy as np
import pytest
from numpy.typing import NDArray

from runtime.simulator import Dispatch, IllegalCode, KernelDescription, Memory, Simulator, Statistics, ThreadState
from runtime.simulator.engines import ENGINES, create
from runtime.simulator.execution.engine import Executable, PreparedKernel
from tests.unit.runtime.simulator.programs.assembled import describe, launch
from xegpu.isa import assemble
from xegpu.isa.model import Dim3
from xegpu.targets import ARC, PVC, Target

EOT = "eot"

# Every lane stores, at its place in the grid, its group (a byte per dimension) and its thread (the upper byte).
# Arguments behind the local ids in BASE: output pointer, groups in x, groups in y.
WHO_AM_I = """
    .reg args = {args}
    (W) mul (1|M0) r20:ud r0.7:ud args.4:ud
    (W) add (1|M0) r20:ud r20:ud r0.6:ud
    (W) mul (1|M0) r20:ud r20:ud args.2:ud
    (W) add (1|M0) r20:ud r20:ud r0.1:ud             // group, counted x fastest
    (W) mul (1|M0) r20:ud r20:ud r0.11:ub            // times threads of a group
    (W) add (1|M0) r20:ud r20:ud r0.8:ub
    (W) shl (1|M0) r20:ud r20:ud 6:ud                // 16 lanes of 4 bytes
    (W) mov (8|M0) r21.0:uw 0x76543210:uv
    (W) add (8|M0) r21.8:uw r21.0:uw 8:uw
    (W) shl (16|M0) r22:ud r21:uw 2:ud
    (W) add (16|M0) r22:ud r22:ud r20.0<0>:ud
    (W) add (16|M0) r24:uq r22:ud args.0<0>:uq
    (W) shl (1|M0) r26:ud r0.6:ud 8:ud
    (W) shl (1|M0) r26.1:ud r0.7:ud 16:ud
    (W) shl (1|M0) r26.2:ud r0.8:ub 24:ud
    (W) or (1|M0) r26:ud r26:ud r26.1:ud
    (W) or (1|M0) r26:ud r26:ud r26.2:ud
    (W) or (1|M0) r26:ud r26:ud r0.1:ud
    (W) mov (16|M0) r27:ud r26.0<0>:ud
    store.ugm.d32.a64 (16|M0) flat[r24] r27
    eot
"""
INSTRUCTIONS = 21
UNTOUCHED = 0xFFFFFFFF


def who_am_i(groups: Dim3, local: Dim3) -> tuple[NDArray[np.uint32], Statistics]:
    memory = Memory()
    threads = -(-prod(local) // 16)
    output = memory.allocate(max(64 * prod(groups) * threads, 64))
    output.data.fill(0xFF)
    arguments = (output.address, groups[0], groups[1])
    statistics = launch(memory, WHO_AM_I.format(args="r1"), groups, local, arguments)
    shape = (groups[2], groups[1], groups[0], threads, 16)
    return np.frombuffer(output.view(), np.uint32)[: prod(shape)].reshape(shape), statistics


def test_every_thread_of_every_group_runs_once_with_its_ids() -> None:
    written, statistics = who_am_i((3, 2, 4), (20, 2, 1))
    assert written.shape == (4, 2, 3, 3, 16)
    for (z, y, x, thread), lanes in zip(np.ndindex(written.shape[:-1]), written.reshape(-1, 16).tolist(), strict=True):
        on = 8 if thread == 2 else 16  # 40 work-items: the last thread is half empty
        assert lanes == [x | y << 8 | z << 16 | thread << 24] * on + [UNTOUCHED] * (16 - on)
    assert (statistics.groups, statistics.threads) == (24, 72)
    assert statistics.instructions == 72 * INSTRUCTIONS
    assert statistics.seconds > 0


@pytest.mark.parametrize("groups", [(0, 1, 1), (1, 0, 1), (5, 5, 0)])
def test_an_empty_grid_runs_nothing(groups: Dim3) -> None:
    _, statistics = who_am_i(groups, (16, 1, 1))
    assert (statistics.instructions, statistics.threads, statistics.groups) == (0, 0, 0)


@pytest.mark.parametrize("engine", sorted(ENGINES))
@pytest.mark.parametrize("groups", [(0, 1 << 31, 1 << 31), (1 << 31, 0, 1 << 31), (1 << 31, 1 << 31, 0)])
def test_the_other_sizes_of_an_empty_grid_cost_nothing(engine: str, groups: Dim3) -> None:
    assert launch(Memory(), EOT, groups, engine=engine).groups == 0


STORE_IDS = """
    (W) mov (8|M0) r21.0:uw 0x76543210:uv
    (W) add (8|M0) r21.8:uw r21.0:uw 8:uw
    (W) mul (1|M0) r20:ud r0.8:ub 64:ud
    (W) shl (16|M0) r22:ud r21:uw 2:ud
    (W) add (16|M0) r22:ud r22:ud r20.0<0>:ud
    (W) add (16|M0) r24:uq r22:ud r4.0<0>:uq
    (W) shl (16|M0) r26:ud r2.0:uw 8:ud
    (W) shl (16|M0) r27:ud r3.0:uw 16:ud
    (W) or (16|M0) r26:ud r26:ud r27:ud
    (W) or (16|M0) r26:ud r26:ud r1.0:uw
    store.ugm.d32.a64 (16|M0) flat[r24] r26
    eot
"""


def test_local_ids_and_arguments_lie_where_the_payload_has_them() -> None:
    memory = Memory()
    output = memory.allocate(64 * 2)
    output.data.fill(0xFF)
    launch(memory, STORE_IDS, local=(3, 5, 2), arguments=(output.address,), local_id_dimensions=3)
    ids = np.frombuffer(output.view(), np.uint32).tolist()
    assert ids[:30] == [x | y << 8 | z << 16 for z in range(2) for y in range(5) for x in range(3)]
    assert ids[30:] == [UNTOUCHED] * 2


def test_a_subgroup_kernel_has_packed_ids_and_all_channels() -> None:
    memory = Memory()
    output = memory.allocate(24 * 64)
    program = """
        (W) shl (1|M0) r20:ud r0.8:ub 6:ud
        (W) add (1|M0) r22:uq r20:ud r2.0:uq
        mov (32|M0) r24:uw r1.0<0>:uw
        mov (8|M0) r24.0:uw r1.0:uw
        store.ugm.d32x16t.a64 (1|M0) flat[r22] r24
        eot
    """
    statistics = launch(
        memory, program, local=(4, 3, 2), arguments=(output.address,), simd_size=1, local_id_dimensions=3
    )
    assert statistics.threads == 24
    rows = np.frombuffer(output.view(), np.uint16).reshape(24, 32)
    expected = [[x, y, z] for z in range(2) for y in range(3) for x in range(4)]
    assert rows[:, :3].tolist() == expected
    assert (rows[:, 31] == rows[:, 0]).all()


def test_what_the_payload_leaves_out_is_zero() -> None:
    memory = Memory()
    output = memory.allocate(64)
    program = """
        (W) mov (1|M0) r126:uq r1.0:uq
        (W) mov (16|M0) r1:ud 0:ud
        (f1.1) mov (16|M0) r1:ud 7:ud
        or (16|M0) r1:ud r1:ud r127:ud
        load.ugm.d32x16t.a32 (1|M0) r20 ss[r127]
        or (16|M0) r1:ud r1:ud r20:ud
        store.ugm.d32x16t.a64 (1|M0) flat[r126] r1
        (W) mov (16|M0) r127:ud -1:d
        (W) mov (1|M0) r19:ud 0:ud
        store.ugm.d32x16t.a32 (1|M0) ss[r19] r127
        cmp (16|M0) (eq)f1.1 null:d r127:d -1:d
        eot
    """
    # The second group must not see registers, flags and scratch space of the first one.
    launch(memory, program, groups=(2, 1, 1), arguments=(output.address,), scratch_size=64)
    assert not any(output.view())


# Loading -------------------------------------------------------------------------------------------------------------


def load(description: KernelDescription, target: Target = PVC) -> Executable:
    return Simulator(target, Memory(), "interpreter").load(description)


def test_padding_behind_the_code_is_no_error() -> None:
    description = describe(EOT)
    executable = load(replace(description, code=description.code + bytes(176)))
    assert executable.program.instructions[0].mnemonic == "eot"
    assert executable.program.instructions[-1].mnemonic == "illegal"
    assert executable.description.name == "test"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nop", r"at offset 0x20: control can run past the end"),
        ("", r"at offset 0x10: control can run past the end"),
        ("L: (f0.0) jmpi (1|M0) L", r"at offset 0x20: control can run past the end"),
        ("add (16|M0) r127.1:f r1:f r2:f\neot", r"at offset 0x10: .*leave the 128 registers"),
        ("nop\nload.gtwy.d32.a32 (16|M0) r1 flat[r2]\neot", r"at offset 0x20: load: gtwy holds no memory"),
    ],
)
def test_illegal_programs_are_refused_with_their_place(text: str, reason: str) -> None:
    with pytest.raises(IllegalCode, match=r"illegal code in kernel 'test' " + reason):
        load(describe(text))


@pytest.mark.parametrize("text", ["illegal", "L: jmpi (1|M0) L", EOT])
def test_programs_may_end_in_whatever_does_not_go_on(text: str) -> None:
    load(describe(text))


def test_code_of_another_target_is_refused() -> None:
    arc_code = assemble(EOT, grf_bytes=32)
    with pytest.raises(IllegalCode, match="code for registers of 32 bytes, pvc has 64"):
        load(replace(describe(EOT), code=arc_code))
    with pytest.raises(IllegalCode, match="is for arc, not pvc"):
        load(describe(EOT, ARC))
    with pytest.raises(IllegalCode, match="block-2D"):
        load(describe("load_block2d.ugm.d32.a64 (1|M0) r1 flat[r9] 16x8x1\neot", ARC), ARC)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (b"", "control can run past the end"),
        (b"\x61\x00\x04\x00" * 8, "at offset 0x0: mov: src0 cannot be null"),
        (assemble(EOT)[:12], "cut short"),
        (assemble(EOT)[:-1], "at offset 0x10: 15 bytes are left"),
        (assemble(EOT) + b"\xff" * 16, "at offset 0x20: "),
    ],
)
def test_broken_code_is_refused(code: bytes, reason: str) -> None:
    with pytest.raises(IllegalCode, match=reason):
        load(replace(describe(EOT), code=code))


@pytest.mark.parametrize(
    ("description", "reason"),
    [
        (describe(EOT, grf_count=64), "64 registers, pvc has 128, 256"),
        (describe(EOT, simd_size=8), "SIMD size 8, pvc has 1, 16, 32"),
        (describe(EOT, local_id_dimensions=4), "4 local ids"),
        (describe(EOT, walk_order=(0, 1, 3)), r"walk order \(0, 1, 3\)"),
        (describe(EOT, scratch_size=1 << 20), "1048576 bytes of scratch space"),
        (describe(EOT, scratch_size=-1), "-1 bytes of scratch space"),
        (describe(EOT, cross_thread_size=127 * 64 + 1), "a payload of 8129 bytes does not fit"),
        (describe(EOT, cross_thread_size=-8), "a payload of -8 bytes does not fit"),
        (describe(EOT, cross_thread_size=126 * 64, local_id_dimensions=2), "does not fit"),
    ],
)
def test_impossible_descriptions_are_refused(description: KernelDescription, reason: str) -> None:
    with pytest.raises(IllegalCode, match=reason):
        load(description)


# Launching -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dispatch", "reason"),
    [
        (Dispatch((-1, 1, 1), (16, 1, 1)), "group count"),
        (Dispatch((1 << 32, 1, 1), (16, 1, 1)), "group count"),
        (Dispatch((1, 1, 1), (0, 1, 1)), "group size"),
        (Dispatch((1, 1, 1), (1025, 1, 1)), "1025 work-items takes 65 threads, pvc has room for 1024 and 64"),
        (Dispatch((1, 1, 1), (1024, 1, 1), b"1234"), "4 bytes of payload, it takes 0"),
        (Dispatch((1, 1, 1), (16, 1, 1), slm_size=128 << 10), "131073 bytes of shared local memory"),
        (Dispatch((1, 1, 1), (16, 1, 1), slm_size=-2), "-1 bytes of shared local memory"),
    ],
)
def test_impossible_launches_are_refused(dispatch: Dispatch, reason: str) -> None:
    simulator = Simulator(PVC, Memory(), "interpreter")
    executable = simulator.load(describe(EOT, slm_size=1))
    with pytest.raises(ValueError, match=rf"kernel 'test' cannot be launched: .*{reason}"):
        simulator.run(executable, dispatch)


def test_a_group_of_subgroups_is_bounded_by_threads() -> None:
    simulator = Simulator(PVC, Memory(), "interpreter")
    executable = simulator.load(describe(EOT, simd_size=1))
    assert simulator.run(executable, Dispatch((1, 1, 1), (8, 8, 1))).threads == 64
    with pytest.raises(ValueError, match="65 work-items takes 65 threads"):
        simulator.run(executable, Dispatch((1, 1, 1), (65, 1, 1)))
    large = simulator.load(describe(EOT, simd_size=1, grf_count=256))
    with pytest.raises(ValueError, match="33 work-items takes 33 threads"):
        simulator.run(large, Dispatch((1, 1, 1), (33, 1, 1)))


def test_unknown_engines_and_no_threads_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown engine 'magic', expected one of: jit, interpreter"):
        Simulator(PVC, Memory(), "magic")
    with pytest.raises(ValueError, match="0 host threads"):
        Simulator(PVC, Memory(), "interpreter", threads=0)


@pytest.mark.parametrize("name", sorted(ENGINES))
def test_engines_are_found_by_name(name: str) -> None:
    assert hasattr(create(name), "prepare")


class CountingEngine:
    """Prepares nothing and counts."""

    def __init__(self) -> None:
        self.prepared = 0

    def prepare(self, executable: Executable) -> PreparedKernel:
        self.prepared += 1
        return Finished()


class Finished:
    def run(self, dispatch: Dispatch, memory: Memory, threads: int) -> Statistics:
        return Statistics(0, 0, 0, 0.0)

    def run_thread(self, state: ThreadState, memory: Memory, group: Dim3 = (0, 0, 0), subgroup: int = 0) -> ThreadState:
        return state


def test_an_executable_is_prepared_once_per_engine() -> None:
    executable, engines = load(describe(EOT)), [CountingEngine(), CountingEngine()]
    with ThreadPoolExecutor(4) as pool:
        kernels = list(pool.map(executable.prepared, engines * 10))
    assert [engine.prepared for engine in engines] == [1, 1]
    assert len(set(map(id, kernels))) == 2


def test_one_executable_runs_on_several_host_threads_at_once() -> None:
    memory = Memory()
    simulator = Simulator(PVC, memory, "interpreter")
    executable = simulator.load(describe(WHO_AM_I.format(args="r1"), cross_thread_size=24))
    outputs = [memory.allocate(64 * 8) for _ in range(8)]

    def work(index: int) -> None:
        payload = np.array([outputs[index].address, 8, 1], np.uint64).tobytes()
        simulator.run(executable, Dispatch((8, 1, 1), (16, 1, 1), payload))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    for output in outputs:
        assert np.frombuffer(output.view(), np.uint32).reshape(8, 16).tolist() == [[x] * 16 for x in range(8)]


def test_a_finished_launch_holds_no_memory() -> None:
    memory = Memory()
    simulator = Simulator(PVC, memory, "interpreter")
    executable = simulator.load(describe(EOT))
    allocation = memory.allocate(64)
    alive = weakref.ref(allocation)
    simulator.run(executable, Dispatch((1, 1, 1), (16, 1, 1)))
    memory.free(allocation)
    memory.table()
    del allocation
    gc.collect()
    assert alive() is None
