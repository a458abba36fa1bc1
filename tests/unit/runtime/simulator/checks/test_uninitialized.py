"""Memory that was never written: where it is reported, and where not yet."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from runtime.simulator import POISON, FaultKind
from tests.unit.runtime.simulator.checks.support import LANES, PLACES, Bench

LOAD = PLACES + "load.ugm.d32.a64 (16|M0) r20 flat[r6]\n"
STORE = "(W) add (16|M0) r8.0<1>:uq r1.1<0;1,0>:uq r5.0<1;1,0>:ud\nstore.ugm.d32.a64 (16|M0) flat[r8] r21\neot"


def test_what_is_computed_of_unwritten_memory_is_reported_when_it_leaves_the_kernel() -> None:
    bench = Bench(LOAD + "add (16|M0) r21:ud r20:ud 1:ud\n" + STORE, [64, 64], unwritten=[0])
    found = bench.finding()
    assert (found.kind, found.group, found.subgroup, found.lane) == (FaultKind.UNINITIALIZED, (0, 0, 0), 0, 0)
    assert found.instruction.startswith("store.ugm")
    assert (found.address, found.size, found.nearest) == (bench.buffers[1].address, 4, bench.buffers[1])
    (read,) = found.related
    assert read.instruction.startswith("load.ugm")
    first = str(found).splitlines()[0]
    assert first.startswith("use of uninitialized memory in kernel 'kernel': the value stored to device memory")
    assert "device memory 'buffer 0', 64 bytes" in first


def test_only_lanes_with_unwritten_memory_count() -> None:
    bench = Bench(LOAD + "mov (16|M0) r21:ud r20:ud\n" + STORE, [64, 64], unwritten=[0])
    bench.write(0, 0, 20)
    assert bench.finding().lane == 5
    bench.write(0, 20, 44)
    assert bench.findings() == ()


def test_what_a_kernel_stores_has_a_value_for_the_next_one() -> None:
    text = PLACES + "store.ugm.d32.a64 (16|M0) flat[r6] r5\neot"
    bench = Bench(text, [64, 64], unwritten=[0])
    assert bench.findings() == ()
    bench.text = LOAD + "mov (16|M0) r21:ud r20:ud\n" + STORE
    assert bench.findings() == ()


def test_what_the_host_writes_through_a_view_has_a_value() -> None:
    bench = Bench(LOAD + "mov (16|M0) r21:ud r20:ud\n" + STORE, [64, 64], unwritten=[0])
    bench.buffers[0].view()[:20] = bytes(20)
    found = bench.finding()
    assert (found.kind, found.lane) == (FaultKind.UNINITIALIZED, 5)
    bench.buffers[0].view()[20:] = bytes(44)
    assert bench.findings() == ()


def test_poison_is_found_in_memory_of_the_host() -> None:
    """Host and shared memory record no values: their contents show what was not written, in words of 4 bytes."""
    bench = Bench(LOAD + "mov (16|M0) r21:ud r20:ud\n" + STORE, [64, 64])
    bench.buffers[0].data[:] = 0
    assert bench.findings() == ()
    bench.buffers[0].data[24:28] = np.frombuffer(struct.pack("<I", POISON), np.uint8)
    assert bench.finding().lane == 6
    bench.buffers[0].data[25] = 0
    assert bench.findings() == ()


def test_unwritten_values_that_stay_inside_are_not_reported() -> None:
    text = LOAD + "mul (16|M0) r21:f r20:f r20:f\ncmp (16|M0) (gt)f0.0 null:f r21:f 0:f\neot"
    assert Bench(text, [64], unwritten=[0]).findings() == ()


def test_a_choice_depends_on_what_is_chosen_and_on_the_flag() -> None:
    """Lanes 0 to 7 take the constant, whatever was loaded."""
    choose = "cmp (16|M0) (lt)f0.0 null:ud r5:ud 32:ud\n(f0.0) sel (16|M0) r21:ud r5:ud r20:ud\n"
    assert Bench(LOAD + choose + STORE, [64, 64], unwritten=[0]).finding().lane == 8
    choose = "cmp (16|M0) (lt)f0.0 null:ud r20:ud 32:ud\n(f0.0) sel (16|M0) r21:ud r5:ud r5:ud\n"
    assert Bench(LOAD + choose + STORE, [64, 64], unwritten=[0]).finding().lane == 0


def test_an_address_of_unwritten_memory() -> None:
    text = LOAD + "mov (16|M0) r9:ud r20:ud\nload.slm.d32.a32 (16|M0) r21 flat[r9]\neot"
    bench = Bench(text, [64], unwritten=[0], slm_size=128)
    bench.buffers[0].data[:] = 0  # whatever happens to be there
    found = bench.finding()
    assert (found.kind, found.space, found.lane) == (FaultKind.UNINITIALIZED, "shared local memory", 0)
    assert "the address of a message is undefined" in str(found)


def test_control_flow_by_unwritten_memory() -> None:
    text = LOAD + "(W) cmp (1|M0) (gt)f0.0 null:d r20:d 0:d\n(W&f0.0) jmpi (1|M0) out\nout:\neot"
    found = Bench(text, [64], unwritten=[0]).finding()
    assert found.instruction.startswith("(W&f0.0) jmpi")
    assert "where control goes is undefined" in str(found)
    text = LOAD + "cmp (16|M0) (gt)f0.0 null:d r20:d 0:d\n(f0.0) goto (16|M0) out out\nout: join (16|M0) end\nend: eot"
    assert "where control goes is undefined" in str(Bench(text, [64], unwritten=[0]).finding())


def test_a_message_that_is_sent_or_not() -> None:
    text = LOAD + "cmp (16|M0) (gt)f0.0 null:d r20:d 0:d\n(f0.0) store.ugm.d32.a64 (16|M0) flat[r6] r5\neot"
    assert "whether a message is sent is undefined" in str(Bench(text, [64], unwritten=[0]).finding())


def test_shared_local_memory_passes_undefined_values_on() -> None:
    text = LANES + "load.slm.d32.a32 (16|M0) r20 flat[r5]\nmov (16|M0) r21:ud r20:ud\n"
    keep = "store.slm.d32.a32 (16|M0) flat[r5] {source}\nload.slm.d32.a32 (16|M0) r21 flat[r5]\n"
    found = Bench(text + keep.format(source="r20") + STORE, [64, 64], slm_size=64).finding()
    assert "nothing has written those bytes of shared local memory" in str(found)
    assert Bench(text + keep.format(source="r5") + STORE, [64, 64], slm_size=64).findings() == ()


def test_each_group_has_shared_local_memory_of_its_own() -> None:
    """Only the first group writes what all read."""
    text = LANES + (
        "(W) cmp (1|M0) (ne)f0.0 null:ud r0.1<0;1,0>:ud 0:ud\n(W&f0.0) jmpi (1|M0) read\n"
        "store.slm.d32.a32 (16|M0) flat[r5] r5\nread:\nload.slm.d32.a32 (16|M0) r21 flat[r5]\n"
    )
    found = Bench(text + STORE, [64, 64], slm_size=64, checks="uninitialized").finding((2, 1, 1))
    assert found.group == (1, 0, 0)


def test_scratch_space() -> None:
    text = "(W) mov (1|M0) r9:ud 0:ud\n{store}(W) load.ugm.d32x16t.a32 (1|M0) r21 ss[r9]\n" + LANES
    found = Bench(text.format(store="") + STORE, [64, 64], scratch_size=64).finding()
    assert "nothing has written those bytes of scratch space" in str(found)
    store = "(W) store.ugm.d32x8t.a32 (1|M0) ss[r9] r0\n"
    assert Bench(text.format(store=store) + STORE, [64, 64], scratch_size=64).finding().lane == 8


def test_blocks_of_a_surface() -> None:
    text = """
        (W) mov (16|M0) r9:ud 0:ud
        (W) mov (1|M0) r9.0:uq r1.0:uq
        (W) mov (1|M0) r9.2:ud 63:ud
        (W) mov (1|M0) r9.3:ud 7:ud
        (W) mov (1|M0) r9.4:ud 63:ud
        (W) mov (1|M0) r9.7:ud 0x70f:ud
        (W) load_block2d.ugm.d32.a64 (1|M0) r20 flat[r9] 16x8x1
        (W) mov (1|M0) r9.0:uq r1.1:uq
        (W) store_block2d.ugm.d32.a64 (1|M0) flat[r9] r20 16x8x1
        eot
    """
    bench = Bench(text, [512, 512], unwritten=[0])
    bench.write(0, 0, 64 * 5)
    found = bench.finding()
    assert (found.kind, found.lane, found.address) == (
        FaultKind.UNINITIALIZED,
        None,
        bench.buffers[1].address + 64 * 5,
    )
    bench.write(0, 0, 512)
    assert bench.findings() == ()


@pytest.mark.parametrize(("atomic", "reported"), [("iadd", True), ("iinc", True), ("store", False), ("load", False)])
def test_atomics_compute_with_what_they_find(atomic: str, reported: bool) -> None:
    data = " r5" if atomic in ("iadd", "store") else ""
    text = PLACES + f"atomic_{atomic}.ugm.d32.a64 (16|M0) r21 flat[r6]{data}\neot"
    found = Bench(text, [64], unwritten=[0]).findings()
    assert [fault.kind for fault in found] == [FaultKind.UNINITIALIZED] * reported


def test_an_undefined_operand_of_an_atomic() -> None:
    text = LOAD + "(W) mov (16|M0) r8.0<1>:uq r1.1<0;1,0>:uq\natomic_iadd.ugm.d32.a64 (16|M0) null flat[r8] r20\neot"
    assert "an operand of an atomic is undefined" in str(Bench(text, [64, 64], unwritten=[0]).finding())


def test_the_same_error_is_reported_once_and_counted() -> None:
    text = LOAD + "mov (16|M0) r21:ud r20:ud\n" + STORE
    found = Bench(text, [64, 64], unwritten=[0], checks="uninitialized").finding((5, 1, 1))
    assert (found.group, found.times) == ((0, 0, 0), 5)
    assert str(found).endswith("found 5 times at this instruction")


def test_a_product_depends_on_rows_and_columns() -> None:
    """Row 3 of A is undefined: so is row 3 of the result."""
    text = LANES + (
        "(W) mov (1|M0) r8:ud 0:ud\n"
        + "".join(f"(W) mov (16|M0) r{n}:ud 0:ud\n" for n in (*range(20, 28), *range(30, 34)))
        + "(W) load.slm.d32x8t.a32 (1|M0) r21.0 flat[r8]\n".replace("r21.0", "r40")
        + "(W) mov (8|M0) r31.8<1>:ud r40.0<1;1,0>:ud\n"
        + "dpas.8x8 (16|M0) r50:f null:f r20:bf r30:bf\n{move}"
    )
    text += STORE
    for row in range(8):
        found = Bench(text.format(move=f"mov (16|M0) r21:ud r{50 + row}:ud\n"), [64, 64], slm_size=64).findings()
        assert len(found) == (row == 3), row
