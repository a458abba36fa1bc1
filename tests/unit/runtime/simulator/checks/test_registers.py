"""Registers and flags that were never written."""

from __future__ import annotations

import pytest

from runtime.simulator import FaultKind
from tests.unit.runtime.simulator.checks.support import PLACES, Bench

STORE = "store.ugm.d32.a64 (16|M0) flat[r6] r20\neot"


def test_a_register_that_nobody_has_written() -> None:
    found = Bench(PLACES + "add (16|M0) r20:ud r21:ud r5:ud\n" + STORE, [64]).finding()
    assert (found.kind, found.lane) == (FaultKind.UNWRITTEN_REGISTER, 0)
    assert str(found).startswith(
        "use of an unwritten register in kernel 'kernel': the value stored to device memory is undefined, because "
        "nothing has written r21\n"
    )
    assert found.related[0].instruction == "add (16|M0) r20.0<1>:ud r21.0<1;1,0>:ud r5.0<1;1,0>:ud"


def test_lanes_that_were_off() -> None:
    text = PLACES + "cmp (16|M0) (lt)f0.0 null:ud r5:ud 40:ud\n(f0.0) mov (16|M0) r20:ud r5:ud\n"
    assert Bench(text + STORE, [64]).finding().lane == 10
    assert Bench(text + "(f0.0) " + STORE, [64]).findings() == ()


def test_bytes_of_a_register() -> None:
    text = PLACES + "(W) mov (16|M0) r20:ud 0:ud\n(W) mov (16|M0) r22:uw 0:uw\n"
    write = "mov (16|M0) r20.0<2>:uw r22:uw\n"
    assert Bench(text + write + STORE, [64]).findings() == ()
    text = PLACES + "(W) mov (16|M0) r22:uw 0:uw\n"
    assert Bench(text + write + STORE, [64]).finding().kind is FaultKind.UNWRITTEN_REGISTER


def test_the_payload_is_written() -> None:
    text = PLACES + "(W) mov (16|M0) r20:ud r{}:ud\n" + STORE
    assert Bench(text.format(0), [64]).findings() == ()
    assert Bench(text.format(1), [64]).finding().lane == 2  # behind the only argument


@pytest.mark.parametrize(
    ("use", "what"),
    [
        ("(W&f1.0) jmpi (1|M0) out\nout:", "where control goes"),
        ("(f1.0) store.ugm.d32.a64 (16|M0) flat[r6] r5", "whether a message is sent"),
        ("(f1.0) mov (16|M0) r5:ud 1:ud\nstore.ugm.d32.a64 (16|M0) flat[r6] r5", "the value stored to device memory"),
    ],
)
def test_flags(use: str, what: str) -> None:
    found = Bench(PLACES + use + "\neot", [64]).finding()
    assert (found.kind, found.detail) == (
        FaultKind.UNWRITTEN_REGISTER,
        f"{what} is undefined, because nothing has written f1",
    )


@pytest.mark.parametrize(("truth", "any_is_found", "all_is_found"), [("lt", False, True), ("gt", True, False)])
def test_any_and_all_are_decided_by_one_flag_bit(truth: str, any_is_found: bool, all_is_found: bool) -> None:
    """Eight of sixteen bits are written: all true, or all false."""
    text = PLACES + f"cmp (8|M0) ({truth})f0.0 null:ud r5:ud 100:ud\n"
    for combination, is_found in (("any", any_is_found), ("all", all_is_found)):
        use = f"(f0.0.{combination}) store.ugm.d32.a64 (16|M0) flat[r6] r5\neot"
        assert bool(Bench(text + use, [64]).findings()) == is_found, combination


def test_bits_that_a_mask_removes() -> None:
    """Half of a flag is written; the other half goes with it, until a mask takes it off."""
    text = PLACES + (
        "(W) cmp (16|M0) (eq)f0.0 null:ud r5:ud 0:ud\n(W) mov (1|M0) r8:ud f0.0:ud\n{mask}"
        "(W) cmp (1|M0) (ne)f1.0 null:ud r8:ud 0:ud\n(W&f1.0) jmpi (1|M0) end\nend: eot"
    )
    assert Bench(text.format(mask="(W) and (1|M0) r8:ud r8:ud 0xffff:ud\n"), [64]).findings() == ()
    assert Bench(text.format(mask="(W) or (1|M0) r8:ud r8:ud 0xffff0000:ud\n"), [64]).findings() == ()
    for mask in ("", "(W) and (1|M0) r8:ud r8:ud 0x1ffff:ud\n", "(W) xor (1|M0) r8:ud r8:ud 0xffff:ud\n"):
        assert "nothing has written f0" in Bench(text.format(mask=mask), [64]).finding().detail


def test_indirect_operands() -> None:
    text = PLACES + "{address}mov (1|M0) r20:ud r[a0.0]:ud\nmov (16|M0) r20:ud r20.0<0;1,0>:ud\n" + STORE
    found = Bench(text.format(address=""), [64]).findings()
    assert found[0].detail == "the address of an indirect operand is undefined, because nothing has written a0"
    assert Bench(text.format(address="(W) mov (1|M0) a0.0:uw 0:uw\n"), [64]).findings() == ()
    found = Bench(text.format(address="(W) mov (1|M0) a0.0:uw 2048:uw\n"), [64]).findings()
    assert "nothing has written r[a0.0]" in found[0].detail


def test_what_is_written_through_an_address() -> None:
    text = PLACES + "(W) mov (1|M0) a0.0:uw 1280:uw\nmov (16|M0) r[a0.0]:ud r5:ud\n" + STORE
    assert Bench(text, [64]).findings() == ()


def test_spilling_keeps_what_is_undefined() -> None:
    """A register of which half is undefined goes to scratch space and comes back."""
    text = PLACES + (
        "(W) mov (1|M0) r9:ud 0:ud\n(W) mov (8|M0) r21:ud 7:ud\n"
        "(W) store.ugm.d32x16t.a32 (1|M0) ss[r9] r21\n(W) load.ugm.d32x16t.a32 (1|M0) r20 ss[r9]\n"
    )
    found = Bench(text + STORE, [64], scratch_size=64).finding()
    assert (found.kind, found.lane) == (FaultKind.UNWRITTEN_REGISTER, 8)


def test_registers_of_other_threads_do_not_count() -> None:
    """Registers keep their state over a barrier; a second thread starts without."""
    text = PLACES + "(W) mov (16|M0) r20:ud 0:ud\nbarrier\n" + STORE
    assert Bench(text, [64], checks="registers").findings(local=(48, 1, 1)) == ()
    text = PLACES + (
        "(W) cmp (1|M0) (ne)f0.0 null:ub r0.8:ub 0:ub\n(W&f0.0) jmpi (1|M0) on\n"
        "(W) mov (16|M0) r20:ud 0:ud\non: barrier\n" + STORE
    )
    found = Bench(text, [64], checks="registers").finding(local=(48, 1, 1))
    assert (found.subgroup, found.times) == (2, 2)  # the last one passes the barrier first


def test_only_what_is_asked_for() -> None:
    text = PLACES + "load.ugm.d32.a64 (16|M0) r21 flat[r6]\nadd (16|M0) r20:ud r21:ud r22:ud\n" + STORE
    for checks, kind in (
        ("registers", FaultKind.UNWRITTEN_REGISTER),
        ("uninitialized", FaultKind.UNINITIALIZED),
    ):
        assert Bench(text, [64], checks=checks, unwritten=[0]).finding().kind is kind
    assert Bench(text, [64], checks="memory", unwritten=[0]).findings() == ()


def test_the_place_of_an_indirect_call() -> None:
    text = "calla (1|M0) r10.0 r9.0\neot\nsquare: ret (1|M0) r10.0"
    found, fault = Bench(PLACES + text, [64]).findings()
    assert fault.kind is FaultKind.BAD_TARGET
    assert (found.kind, found.detail) == (
        FaultKind.UNWRITTEN_REGISTER,
        "the call target is undefined, because nothing has written r9",
    )
    # The call itself writes the way back.
    assert Bench(PLACES + "(W) mov (1|M0) r9:ud @square:ud\n" + text, [64]).findings() == ()
