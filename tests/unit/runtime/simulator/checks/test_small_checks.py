"""Arithmetic, layout, barriers."""

from __future__ import annotations

import re

import pytest

from runtime.simulator import FaultKind
from tests.unit.runtime.simulator.checks.support import LANES, THREAD, Bench


@pytest.mark.parametrize("mnemonic", ["div", "mod"])
@pytest.mark.parametrize("type", ["d", "ud", "q", "w"])
def test_division_by_zero(mnemonic: str, type: str) -> None:
    text = LANES + f"(W) add (16|M0) r8:d r5:d -12:d\nmov (16|M0) r10:{type} r8:d\n"
    text += f"{mnemonic} (16|M0) r20:{type} r10:{type} r10:{type}\neot"
    found = Bench(text, checks="arithmetic").finding()
    assert (found.kind, found.lane, found.detail) == (FaultKind.ARITHMETIC, 3, "the divisor is zero")
    assert str(found).startswith("integer division in kernel 'kernel': the divisor is zero\n")


def test_lanes_that_are_off_divide_nothing() -> None:
    text = LANES + "cmp (16|M0) (ne)f0.0 null:ud r5:ud 0:ud\n(f0.0) div (16|M0) r20:ud r5:ud r5:ud\neot"
    assert Bench(text).findings() == ()


def test_the_quotient_that_does_not_fit() -> None:
    text = "(W) mov (1|M0) r8:d -2147483648:d\n(W) mov (1|M0) r9:d -1:d\n(W) div (1|M0) r20:d r8:d r9:d\neot"
    found = Bench(text).finding()
    assert (found.kind, found.detail) == (FaultKind.ARITHMETIC, "-2147483648 by -1 does not fit 32 bits")


def test_floats_may_be_divided_by_zero() -> None:
    assert Bench("(W) mov (1|M0) r8:f 0:f\n(W) div (1|M0) r20:f r8:f r8:f\neot").findings() == ()


HALF = """
cmp (16|M0) ({condition})f0.0 null:ud r5:ud 28:ud
(~f0.0) goto (16|M0) out out
{body}
out: join (16|M0) end
end: eot"""
ZEROS = "".join(f"(W) mov (16|M0) r{n}:ud 0:ud\n" for n in (*range(20, 34), *range(50, 58)))


def test_a_product_with_lanes_off() -> None:
    body = "dpas.8x8 (16|M0) r50:f r50:f r20:bf r30:bf"
    text = LANES + ZEROS + HALF.format(condition="lt", body=body)
    found = Bench(text).finding()
    assert (found.kind, found.lane) == (FaultKind.LAYOUT, 7)
    assert found.detail == "7 of 16 lanes take part in a matrix product"
    assert Bench(text.replace("dpas", "(W) dpas")).findings() == ()
    assert Bench(text).findings(local=(5, 1, 1))[0].detail == "5 of 16 lanes take part in a matrix product"


BLOCK = """
    (W) mov (16|M0) r9:ud 0:ud
    (W) mov (1|M0) r9.0:uq r1.0:uq
    (W) mov (1|M0) r9.2:ud 63:ud
    (W) mov (1|M0) r9.3:ud 7:ud
    (W) mov (1|M0) r9.4:ud 63:ud
    (W) mov (1|M0) r9.7:ud 0x70f:ud
"""


@pytest.mark.parametrize(
    ("message", "condition", "detail"),
    [
        ("load_block2d.ugm.d32.a64 (1|M0) r20 flat[r9] 16x8x1", "lt", "7 of 16 lanes take part in a message"),
        ("load_block2d.ugm.d32.a64 (1|M0) r20 flat[r9] 16x8x1", "gt", "8 of 16 lanes .*, and the message is not sent"),
        ("load.ugm.d32x8t.a64 (1|M0) r20 flat[r1]", "gt", "8 of 16 lanes .*, and the message is not sent"),
    ],
)
def test_a_block_with_lanes_off(message: str, condition: str, detail: str) -> None:
    found = Bench(LANES + BLOCK + HALF.format(condition=condition, body=message), [512]).finding()
    assert found.kind is FaultKind.LAYOUT

    assert re.match(detail, found.detail)


def test_one_lane_may_send_a_message_of_its_own() -> None:
    text = LANES + HALF.format(condition="lt", body="load.ugm.d32x8t.a64 (1|M0) r20 flat[r1]")
    assert Bench(text, [512]).findings() == ()


def test_threads_that_meet_in_different_barriers() -> None:
    text = THREAD + (
        "(W) cmp (1|M0) (ne)f0.0 null:ud r10:ud 2:ud\n(W&f0.0) jmpi (1|M0) other\n"
        "barrier\n(W) jmpi (1|M0) end\nother: barrier\nend: eot"
    )
    found = Bench(text).finding(local=(64, 1, 1))
    assert (found.kind, found.subgroup, found.instruction) == (FaultKind.BARRIER_MISMATCH, 2, "barrier")
    (other,) = found.related
    assert (other.subgroup, other.group) == (0, (0, 0, 0))
    assert other.offset > found.offset
    assert Bench(text).findings() == ()  # alone


def test_a_signal_that_is_not_waited_for() -> None:
    found = Bench("nop\nsbarrier.signal\neot").finding(local=(32, 1, 1))
    assert (found.kind, found.times, found.instruction) == (FaultKind.BARRIER_MISMATCH, 2, "eot")
    assert found.related[0].instruction == "sbarrier.signal"
    assert "without having waited for barrier 0" in str(found)
    assert Bench("sbarrier.signal\nnop\nsbarrier.wait\neot").findings(local=(32, 1, 1)) == ()
    assert Bench("nbarrier.signal 0x02024001:ud\neot", barrier_count=2).findings(local=(32, 1, 1)) == ()


def test_a_barrier_that_leaves_work_items_out() -> None:
    found = Bench(LANES + HALF.format(condition="lt", body="barrier")).finding()
    assert (found.kind, found.instruction) == (FaultKind.BARRIER_MISMATCH, "barrier")
    assert found.detail == "7 of the 16 work-items of the subgroup are at the barrier, the others are left out"
    assert Bench(LANES + "barrier\neot").findings(local=(5, 1, 1)) == ()


def test_faults_come_with_what_was_found_before() -> None:
    """A thread that ends in divergent flow, and a deadlock, end the launch."""
    text = LANES + "(W) div (1|M0) r20:ud r5:ud r5:ud\n" + HALF.format(condition="lt", body="eot")
    division, divergence = Bench(text).findings()
    assert (division.kind, divergence.kind) == (FaultKind.ARITHMETIC, FaultKind.DIVERGENCE)
    text = THREAD + "(W) cmp (1|M0) (ne)f0.0 null:ud r10:ud 1:ud\n(W&f0.0) jmpi (1|M0) end\nbarrier\nend: eot"
    (deadlock,) = Bench(text).findings(local=(32, 1, 1))
    assert (deadlock.kind, deadlock.subgroup) == (FaultKind.DEADLOCK, 1)


def test_too_many_errors_end_the_launch() -> None:
    text = LANES + "(W) mov (1|M0) r8:ud 0:ud\n" + "(W) div (1|M0) r20:ud r8:ud r8:ud\n" * 30 + "eot"
    found = Bench(text).findings((100, 1, 1))
    assert len(found) == 20
    assert {fault.times for fault in found} == {1}
    assert str(found[0]).startswith("20 errors in kernel 'kernel'\n\ninteger division")
