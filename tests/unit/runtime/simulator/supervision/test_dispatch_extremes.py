"""Launches that are larger, deeper or longer than any sensible one, in both engines where that is bearable."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from functools import partial

import pytest

from runtime.llvm import module as llvm_module
from runtime.simulator import DeviceFault, Dispatch, FaultKind, Memory, Simulator, Statistics
from tests.unit.runtime.simulator.described import described
from tests.unit.runtime.simulator.jit.launches import ENGINES, Bench
from xegpu.isa import assemble
from xegpu.targets import PVC

END = "(W) eot (1|M0)"
GIGABYTE = 1 << 30

# A block from the start of the buffer goes to its end, and one more than that back to the start.
BOTH_ENDS = f"""
    (W) add (1|M0) r10.0<1>:uq r1.0<0;1,0>:uq r1.1<0;1,0>:uq
    (W) load.ugm.d32x16t.a64 (1|M0) r11:1 flat[r1]:1
    (W) store.ugm.d32x16t.a64 (1|M0) flat[r10-64]:1 r11:1
    (W) load.ugm.d32x16t.a64 (1|M0) r12:1 flat[r10-64]:1
    (W) add (16|M0) r12:ud r12:ud 1:ud
    (W) store.ugm.d32x16t.a64 (1|M0) flat[r1]:1 r12:1
    {END}
"""


def committed_megabytes() -> int:
    """Returns the most memory that this process has had resident."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


@pytest.mark.skipif(sys.platform != "linux", reason="memory that is not touched costs nothing on Linux only")
@pytest.mark.parametrize("engine", ENGINES)
def test_addresses_beyond_16_gigabytes(engine: str) -> None:
    before, size, memory = committed_megabytes(), 17 * GIGABYTE, Memory()
    buffer = memory.allocate(size)
    view = buffer.view()
    view[:64] = bytes(range(64))
    simulator = Simulator(PVC, memory, engine)
    executable = simulator.load(described("k", assemble(BOTH_ENDS), PVC, 1, 128, cross_thread_size=16))
    arguments = buffer.address.to_bytes(8, "little") + size.to_bytes(8, "little")
    simulator.run(executable, Dispatch((1, 1, 1), (1, 1, 1), arguments))
    assert bytes(view[-64:]) == bytes(range(64))
    assert bytes(view[:64]) == bytes(byte + (index % 4 == 0) for index, byte in enumerate(range(64)))
    beyond = buffer.address.to_bytes(8, "little") + (size + 4).to_bytes(8, "little")
    with pytest.raises(DeviceFault, match="runs 4 bytes over its end") as caught:
        simulator.run(executable, Dispatch((1, 1, 1), (1, 1, 1), beyond))
    assert caught.value.kind is FaultKind.OUT_OF_BOUNDS
    assert committed_megabytes() - before < 400


FAULT_IN_ONE = f"""
    (W) cmp (1|M0) (eq)f0.0 null<1>:ud r0.1<0;1,0>:ud {{group}}:ud
    (W&f0.0) jmpi (1|M0) bad
    {END}
bad:
    (W) illegal (1|M0)
"""


@pytest.mark.parametrize("group", [0, 777_777, 999_999])
def test_a_fault_in_one_of_a_million_groups(group: int) -> None:
    bench = Bench(FAULT_IN_ONE.format(group=group), [64])
    with pytest.raises(DeviceFault) as caught:
        bench.run("jit", (1_000_000, 1, 1))
    assert caught.value.group == (group, 0, 0)


FAULT_IN_MANY = f"""
    (W) mov (1|M0) r10.0<1>:ud 0:ud
    (W) and (1|M0) r11.0<1>:ud r0.1<0;1,0>:ud 7:ud
    (W) shl (1|M0) r11.0<1>:ud r11.0<0;1,0>:ud 8:ud
busy:
    (W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 1:ud
    (W) cmp (1|M0) (lt)f0.0 null<1>:ud r10.0<0;1,0>:ud r11.0<0;1,0>:ud
    (W&f0.0) jmpi (1|M0) busy
    (W) cmp (1|M0) (ge)f0.0 null<1>:ud r0.1<0;1,0>:ud 4100:ud
    (W&f0.0) jmpi (1|M0) bad
    {END}
bad:
    (W) illegal (1|M0)
"""


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_of_many_faults_the_first_group_is_reported(threads: int) -> None:
    bench = Bench(FAULT_IN_MANY, [64])
    for _ in range(10):
        with pytest.raises(DeviceFault) as caught:
            bench.run("jit", (20_000, 1, 1), threads=threads)
        assert caught.value.group == (4100, 0, 0)


def test_a_million_groups_in_memory_that_does_not_grow() -> None:
    bench = Bench(END, [64])
    bench.run("jit", (1, 1, 1))
    before = committed_megabytes()
    assert bench.run("jit", (1 << 20, 1, 1), threads=4).groups == 1 << 20
    assert committed_megabytes() - before < 50


def both(bench: Bench, groups: int, local: int) -> None:
    """Both engines count the same instructions and leave the same memory."""
    bench.results((groups, 1, 1), (local, 1, 1))


STORE = """
    (W) mul (1|M0) r12.0<1>:ud r0.1<0;1,0>:ud 512:ud
    (W) mov (1|M0) r13.0<1>:ud r0.8<0;1,0>:ub
    (W) mul (1|M0) r13.0<1>:ud r13.0<0;1,0>:ud 64:ud
    (W) add (1|M0) r12.0<1>:ud r12.0<0;1,0>:ud r13.0<0;1,0>:ud
    (W) add (1|M0) r14.0<1>:uq r1.0<0;1,0>:uq r12.0<0;1,0>:ud
    (W) store.ugm.d32x16t.a64 (1|M0) flat[r14]:1 r10:1
    (W) eot (1|M0)
"""


def test_a_thousand_barriers_in_a_row() -> None:
    text = "barrier\n(W) add (16|M0) r10:ud r10:ud 1:ud\n" * 1000 + STORE
    both(Bench(text, [1024], barrier_count=1), 2, 8)


def test_a_thousand_barriers_in_a_loop() -> None:
    text = """
        (W) mov (1|M0) r10.0<1>:ud 0:ud
    loop:
        barrier
        (W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 1:ud
        (W) cmp (1|M0) (lt)f0.0 null<1>:ud r10.0<0;1,0>:ud 1000:ud
        (W&f0.0) jmpi (1|M0) loop
    """
    both(Bench(text + STORE, [1024], barrier_count=1), 2, 8)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"f:\n(W) call (1|M0) r20.0 f\n{END}", id="recursion"),
        pytest.param("(W) call (1|M0) r20.0 f\nf:\n(W) ret (1|M0) r20.0", id="return to itself"),
        pytest.param(f"L:\ngoto.b (32|M0) J L\nJ:\njoin (32|M0) E\nE:\n{END}", id="goto"),
        pytest.param(f"L:\n(W) jmpi (1|M0) M\nM:\n(W) jmpi (1|M0) L\n{END}", id="two jumps"),
    ],
)
def test_endless_flow_of_each_kind_ends(text: str, engine: str) -> None:
    with pytest.raises(DeviceFault) as caught:
        Bench(text, [64], instruction_limit=10_000).run(engine, (1, 1, 1))
    assert caught.value.kind is FaultKind.RUNAWAY


def nested(depth: int) -> str:
    """Branches inside of each other: at depth d the channels from d on (modulo 16) are left."""
    lines = ["mov (16|M0) r20:ud r1.0<1;1,0>:uw", "mov (16|M0) r10:ud 0:ud"]
    for level in range(depth):
        lines += [
            f"cmp (16|M0) (lt)f0.0 null:ud r20:ud {level % 16}:ud",
            f"(f0.0) goto (16|M0) L{depth - 1} L{level}",
            "add (16|M0) r10:ud r10:ud 1:ud",
        ]
    for level in reversed(range(depth)):
        lines += [f"L{level}:", f"join (16|M0) {f'L{level - 1}' if level else 'E'}", "add (16|M0) r10:ud r10:ud 3:ud"]
    return "\n".join([*lines, "E:"])


def test_branches_nested_deeply() -> None:
    store = STORE.replace("r1.", "r2.")
    bench = Bench(nested(120) + store, [1024], simd_size=16, local_id_dimensions=1)
    both(bench, 1, 16)


@pytest.fixture
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llvm_module, "LARGE", 0)


@pytest.mark.usefixtures("everything_is_large")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("barrier\n(W) add (16|M0) r10:ud r10:ud 7:ud\n" * 5 + STORE, id="barriers"),
        pytest.param(
            "(W) mov (16|M0) r10:f 1.5:f\n(W) dpas.8x8 (16|M0) r40.0:f r40.0:f r20.0:bf r30.0:bf\n"
            + "(W) mad (16|M0) r10:f r10:f r40:f r10:f\n" * 9
            + "(W) math.sqt (16|M0) r10:f r10:f\n"
            + STORE,
            id="arithmetic",
        ),
    ],
)
def test_large_kernels_compute_the_same(text: str) -> None:
    both(Bench(text, [1024], barrier_count=1), 2, 4)


@pytest.mark.sampled(every=4)
def test_a_kernel_of_many_instructions() -> None:
    step = "(W) add (16|M0) r{0}:ud r{1}:ud r{2}:ud\n(W) load.ugm.d32x16t.a64 (1|M0) r{3}:1 flat[r1]:1\n"
    text = "".join(step.format(*(10 + (index * factor) % 80 for factor in (1, 7, 13, 3))) for index in range(1000))
    both(Bench(text + STORE, [1024]), 2, 1)


def test_kernels_between_huge_allocations() -> None:
    """Code finds its constants wherever the host has room left for them."""
    memory, runs = Memory(), list[Callable[[], Statistics]]()
    for number in range(8):
        memory.allocate(3 * GIGABYTE)
        simulator = Simulator(PVC, memory, "jit")
        text = f"(W) math.exp (16|M0) r10:f r20:f\n(W) add (16|M0) r10:f r10:f {number}.5:f\n(W) eot (1|M0)"
        executable = simulator.load(described("k", assemble(text), PVC, 1, 128))
        runs.append(partial(simulator.run, executable, Dispatch((3, 1, 1), (1, 1, 1))))
    assert [run().instructions for run in runs] == [9] * 8
