"""Data races: which accesses are ordered, and how the others are reported."""

from __future__ import annotations

import pytest

from runtime.simulator import FaultKind
from tests.unit.runtime.simulator.checks.support import LANES, PLACES, THREAD, Bench

OWN = THREAD + LANES + "(W) add (16|M0) r12:ud r5:ud r11.0<0;1,0>:ud\n"
"""Byte offsets in r12, different for all lanes of a group."""

NEIGHBOUR = "(W) xor (16|M0) r13:ud r12:ud 64:ud\n"
"""The offsets of the other thread of two."""

WRITE = "store.slm.d32.a32 (16|M0) flat[r12] r5\n"
READ = "load.slm.d32.a32 (16|M0) r20 flat[r13]\n"
TWO = (32, 1, 1)


def races(text: str, sizes: tuple[int, ...] = (), *, slm_size: int = 0, barrier_count: int = 1) -> Bench:
    return Bench(text + "\neot", sizes, "races", slm_size=slm_size, barrier_count=barrier_count)


def test_both_accesses_are_named() -> None:
    found = races(OWN + NEIGHBOUR + WRITE + READ, slm_size=128).finding(local=TWO)
    assert (found.kind, found.subgroup, found.lane) == (FaultKind.RACE, 1, 0)
    assert (found.address, found.size, found.space) == (64, 4, "shared local memory")
    assert found.instruction.startswith("store.slm")
    (other,) = found.related
    assert (other.what, other.group, other.subgroup, other.lane) == ("the read", (0, 0, 0), 0, 0)
    assert other.instruction.startswith("load.slm")
    assert str(found).splitlines() == [
        "data race in kernel 'kernel': nothing orders this write and the read of another thread",
        "  at: work-group (0, 0, 0), subgroup 1, lane 0",
        f"  instruction at offset {found.offset:#x}: {found.instruction}",
        "  write of 4 bytes at 0x40 of shared local memory",
        "  the read:",
        "    at: work-group (0, 0, 0), subgroup 0, lane 0",
        f"    instruction at offset {other.offset:#x}: {other.instruction}",
        "  found 2 times at this instruction",
    ]


@pytest.mark.parametrize(
    "between",
    ["barrier", "sbarrier.signal\nsbarrier.wait", "nbarrier.signal 0x02020001:ud\nnbarrier.wait 1:ub"],
)
def test_barriers_order(between: str) -> None:
    text = OWN + NEIGHBOUR + WRITE + between + "\n" + READ
    assert races(text, slm_size=128, barrier_count=2).findings(local=TWO) == ()
    assert races(text + WRITE, slm_size=128, barrier_count=2).findings(local=TWO) != ()
    assert races(text + between + "\n" + WRITE, slm_size=128, barrier_count=2).findings(local=TWO) == ()


def test_what_is_done_between_signal_and_wait_is_not_ordered() -> None:
    early, late = "sbarrier.signal\nsbarrier.wait\n", "sbarrier.signal\n{}sbarrier.wait\n"
    assert races(OWN + NEIGHBOUR + WRITE + early + READ, slm_size=128).findings(local=TWO) == ()
    found = races(OWN + NEIGHBOUR + late.format(WRITE) + READ, slm_size=128).findings(local=TWO)
    assert [fault.kind for fault in found] == [FaultKind.RACE]


def test_the_order_in_which_threads_happen_to_run_does_not_matter() -> None:
    """The first thread writes what the second one reads, or the other way round, with a barrier that does not help."""
    role = "(W) cmp (1|M0) ({})f0.0 null:ud r10:ud 0:ud\n(W&f0.0) jmpi (1|M0) other\n"
    for condition in ("eq", "ne"):
        text = OWN + NEIGHBOUR + role.format(condition)
        text += "store.slm.d32.a32 (16|M0) flat[r5] r5\nbarrier\n(W) jmpi (1|M0) end\n"
        text += "other: load.slm.d32.a32 (16|M0) r20 flat[r5]\nbarrier\nend:"
        found = races(text, slm_size=128).finding(local=TWO)
        kinds = {found.instruction.split(".")[0], found.related[0].instruction.split(".")[0]}
        assert kinds == {"load", "store"}


def test_a_producer_does_not_wait() -> None:
    """The consumer sees what the producer wrote; the producer may not write again."""
    text = OWN + (
        "(W) cmp (1|M0) (ne)f0.0 null:ud r10:ud 0:ud\n(W&f0.0) jmpi (1|M0) consumer\n"
        "store.slm.d32.a32 (16|M0) flat[r5] r5\nnbarrier.signal 0x01014001:ud\n{again}(W) jmpi (1|M0) end\n"
        "consumer: nbarrier.signal 0x01018001:ud\nnbarrier.wait 1:ub\nload.slm.d32.a32 (16|M0) r20 flat[r5]\nend:"
    )
    assert races(text.format(again=""), slm_size=128, barrier_count=2).findings(local=TWO) == ()
    again = "store.slm.d32.a32 (16|M0) flat[r5] r5\n"
    found = races(text.format(again=again), slm_size=128, barrier_count=2).finding(local=TWO)
    assert found.related[0].subgroup == 0


SIDES = "(W) cmp (1|M0) ({})f0.0 null:ud r10:ud 0:ud\n(W&f0.0) jmpi (1|M0) other\n{}(W) jmpi (1|M0) end\nother:{}end:"
PRODUCED, CONSUMED = "nbarrier.signal 0x01014001:ud\n", "nbarrier.signal 0x01018001:ud\nnbarrier.wait 1:ub\n"
EMPTIED, REFILLED = "nbarrier.signal 0x01014002:ud\n", "nbarrier.signal 0x01018002:ud\nnbarrier.wait 2:ub\n"


def test_a_producer_that_signals_again_has_to_know_that_the_barrier_has_fired() -> None:
    """If the consumer signals late, both signals of the producer count for one firing."""
    text = SIDES.format("eq", PRODUCED + PRODUCED, CONSUMED * 2)
    found = races(THREAD + text, barrier_count=2).finding(local=TWO)
    assert (found.kind, found.subgroup) == (FaultKind.RACE, 1)
    assert "nothing orders this signal of barrier 1 and one of the signals that made it fire before" in str(found)
    (other,) = found.related
    assert (other.what, other.subgroup, other.instruction.split()[0]) == ("that signal", 0, "nbarrier.signal")
    # The other thread runs first here, and signals twice before there is a consumer: that is an error of its own.
    text = SIDES.format("ne", PRODUCED + PRODUCED, CONSUMED * 2)
    found = races(THREAD + text, barrier_count=2).finding(local=TWO)
    assert "one more signals" in str(found)


@pytest.mark.parametrize("first", ["eq", "ne"])
def test_a_producer_that_waits_for_the_consumers_may_signal_again(first: str) -> None:
    producer, consumer = (PRODUCED + REFILLED) * 3, (CONSUMED + EMPTIED) * 3
    assert races(THREAD + SIDES.format(first, producer, consumer), barrier_count=3).findings(local=TWO) == ()


def test_pairs_of_threads_that_share_a_barrier() -> None:
    """A barrier for two of four threads orders none of them, since any two may meet; a barrier of all four does."""
    meet, half = (
        "nbarrier.signal 0x02020001:ud\nnbarrier.wait 1:ub\n",
        "(W) and (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 2:ud\n",
    )
    four = (64, 1, 1)
    assert races(THREAD + half + SIDES.format("eq", meet, meet), barrier_count=2).findings(local=four) != ()
    apart = SIDES.format("eq", meet + "barrier\n", "barrier\n" + meet)
    assert races(THREAD + half + apart, barrier_count=2).findings(local=four) == ()


def test_groups_are_not_ordered_by_their_barriers() -> None:
    text = PLACES + "{}.ugm.d32.a64 (16|M0) {}\nbarrier\n"
    write, read = text.format("store", "flat[r6] r5"), text.format("load", "r20 flat[r6]")
    assert races(read, (64,)).findings((4, 1, 1), TWO) == ()
    found = races(write, (64,)).finding((4, 1, 2), (16, 1, 1))
    assert (found.group, found.times, found.nearest is not None) == ((1, 0, 0), 7, True)
    assert found.related[0].group == (0, 0, 0)
    atomic = PLACES + "atomic_iinc.ugm.d32.a64 (16|M0) null flat[r6]\n"
    assert races(atomic, (64,)).findings((4, 1, 1), TWO) == ()


def test_only_bytes_that_both_access_count() -> None:
    """Lanes of two threads write neighbouring bytes, or shorts that overlap."""
    text = THREAD + LANES + "(W) mul (16|M0) r12:ud r5:ud {}:ud\n(W) add (16|M0) r12:ud r12:ud r10.0<0;1,0>:ud\n"
    text += "store.slm.{}.a32 (16|M0) flat[r12] r5\n"
    assert races(text.format(1, "d8u32"), slm_size=128).findings(local=TWO) == ()
    text = text.replace("r10.0<0;1,0>:ud\nstore", "r10.0<0;1,0>:ud\n(W) and (16|M0) r12:ud r12:ud -2:d\nstore")
    found = races(text.format(1, "d16u32"), slm_size=128).finding(local=TWO)
    assert (found.lane, found.related[0].lane) == (0, 0)


def test_the_lane_at_fault() -> None:
    """Lane n of the second thread reads what lane 15 - n of the first one writes."""
    text = OWN + (
        "(W) cmp (1|M0) (ne)f0.0 null:ud r10:ud 0:ud\n(W&f0.0) jmpi (1|M0) other\n"
        "(W) cmp (16|M0) (eq)f1.0 null:ud r5:ud 16:ud\n(f1.0) store.slm.d32.a32 (16|M0) flat[r5] r5\n"
        "(W) jmpi (1|M0) end\n"
        "other: (W) add (16|M0) r13:d -r5:d 60:d\nload.slm.d32.a32 (16|M0) r20 flat[r13]\nend:"
    )
    found = races(text, slm_size=64).finding(local=TWO)
    assert (found.lane, found.related[0].lane, found.address) == (11, 4, 16)


def test_lanes_of_one_store() -> None:
    text = PLACES + "(W) mov (16|M0) r6:uq r1.0<0;1,0>:uq\nstore.ugm.d32.a64 (16|M0) flat[r6] {}\n"
    found = races(text.format("r5"), (64,)).finding()
    assert (found.kind, found.lane, found.related) == (FaultKind.RACE, 1, ())
    assert found.detail == "lane 0 of the same store writes another value to the same byte"
    same = "(W) mov (16|M0) r5:ud 7:ud\n"
    assert races(text.format("r5").replace("store", same + "store"), (64,)).findings() == ()
    on = "cmp (16|M0) (eq)f0.0 null:ud r5:ud 24:ud\n(f0.0) store"
    assert races(text.format("r5").replace("store", on), (64,)).findings() == ()


def test_atomics_and_other_accesses() -> None:
    atomic = PLACES + "atomic_iinc.ugm.d32.a64 (16|M0) null flat[r6]\n"
    found = races(atomic + "load.ugm.d32.a64 (16|M0) r20 flat[r6]", (64,)).finding(local=TWO)
    assert found.related[0].what == "the read"
    assert found.instruction.startswith("atomic_iinc")
    load = PLACES + "load.ugm.d32.a64 (16|M0) r20 flat[r6]\natomic_iinc.ugm.d32.a64 (16|M0) null flat[r6]"
    assert races(load, (64,)).finding(local=TWO).related[0].what == "the atomic write"
    assert races(atomic + "barrier\nload.ugm.d32.a64 (16|M0) r20 flat[r6]", (64,)).findings(local=TWO) == ()
    assert races(atomic + "atomic_load.ugm.d32.a64 (16|M0) r20 flat[r6]", (64,)).findings((2, 1, 1), TWO) == ()


PUBLISH = (
    PLACES
    + """
    (W) cmp (1|M0) (ne)f0.0 null:ud {who}:ud 0:ud
    (W&f0.0) jmpi (1|M0) other
    store.ugm.d32.a64 (16|M0) flat[r6] r5
    {release}
    (W) mov (1|M0) r8:ud 1:ud
    (W) atomic_store.ugm.d32.a64 (1|M0) null flat[r1+64] r8
    (W) jmpi (1|M0) end
    other:
    (W) atomic_load.ugm.d32.a64 (1|M0) r9 flat[r1+64]
    {acquire}
    load.ugm.d32.a64 (16|M0) r20 flat[r6]
    end:
    """
)
"""The first thread writes data and then a flag; the others read the flag and then the data."""

GPU, GROUP = "(W) fence.ugm.none.gpu (1|M0)", "(W) fence.ugm.none.group (1|M0)"


@pytest.mark.parametrize(
    ("release", "acquire", "groups_race", "threads_race"),
    [
        (GPU, GPU, False, False),
        (GROUP, GROUP, True, False),
        (GPU, GROUP, True, False),
        ("", GPU, True, True),
        (GPU, "", True, True),
        ("(W) fence.slm.none.group (1|M0)", "(W) fence.slm.none.group (1|M0)", True, True),
    ],
)
def test_fences_and_atomics_order(release: str, acquire: str, groups_race: bool, threads_race: bool) -> None:
    text = PUBLISH.format(who="r0.1<0;1,0>", release=release, acquire=acquire)
    assert bool(races(text, (128,)).findings((3, 1, 1))) == groups_race
    text = THREAD + PUBLISH.format(who="r10", release=release, acquire=acquire)
    assert bool(races(text, (128,)).findings(local=(48, 1, 1))) == threads_race


def test_blocks() -> None:
    """Two groups store 2-D blocks that share a row."""
    text = """
        (W) mov (16|M0) r9:ud 0:ud
        (W) mov (1|M0) r9.0:uq r1.0:uq
        (W) mov (1|M0) r9.2:ud 63:ud
        (W) mov (1|M0) r9.3:ud 15:ud
        (W) mov (1|M0) r9.4:ud 63:ud
        (W) mul (1|M0) r9.6:ud r0.1<0;1,0>:ud {rows}:ud
        (W) mov (1|M0) r9.7:ud 0x70f:ud
        store_block2d.ugm.d32.a64 (1|M0) flat[r9] r20 16x8x1
    """
    assert races(text.format(rows=8), (1024,)).findings((2, 1, 1)) == ()
    bench = races(text.format(rows=7), (1024,))
    found = bench.finding((2, 1, 1))
    assert (found.lane, found.size, found.address) == (None, 64, bench.buffers[0].address + 64 * 7)


def test_many_groups_read_what_one_of_them_writes() -> None:
    """The write comes last, or first."""
    for who in (0, 39):
        text = (
            PLACES
            + "load.ugm.d32.a64 (16|M0) r20 flat[r6]\n"
            + (
                f"(W) cmp (1|M0) (ne)f0.0 null:ud r0.1<0;1,0>:ud {who}:ud\n(W&f0.0) jmpi (1|M0) end\n"
                "store.ugm.d32.a64 (16|M0) flat[r6] r5\nend:"
            )
        )
        found = races(text, (64,)).finding((40, 1, 1))
        assert found.kind is FaultKind.RACE
