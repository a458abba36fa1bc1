"""Tests that find the loops that may wait for other threads."""

from __future__ import annotations

import pytest

from xegpu.isa import assemble, decode_program
from xegpu.isa.code.spinning import Edge, spinning_edges
from xegpu.isa.formats import footprint
from xegpu.targets import PVC

LOAD = "(W) load.ugm.d32.a64 (1|M0) r12 flat[r10]\n"
TEST = "(W) cmp (1|M0) (eq)f0.0 null<1>:ud r12.0<0;1,0>:ud 0:ud\n"
COUNT = "(W) add (1|M0) (gt)f0.0 r20.0<1>:d r20.0<0;1,0>:d -1:d\n"
AGAIN = "(W&f0.0) jmpi (1|M0) up\n"
SPILL = "(W) store.ugm.d32.a32 (1|M0) ss[r50] {0}\n(W) load.ugm.d32.a32 (1|M0) {0} ss[r50]\n"


def edges(text: str) -> frozenset[Edge]:
    program = decode_program(assemble(text + "\neot"))
    return spinning_edges(program, lambda i: footprint(i, PVC, 128, None), PVC.platform.grf_bytes)


@pytest.mark.parametrize(
    ("text", "spins"),
    [
        ("up:\n" + LOAD + TEST + AGAIN, True),
        ("up:\n" + LOAD.replace("load", "atomic_load") + TEST + AGAIN, True),
        ("up:\n" + LOAD.replace("ugm", "slm").replace("a64", "a32") + TEST + AGAIN, True),
        ("up:\n" + LOAD + "(W) mov (1|M0) r13.0<1>:ud r12.0<0;1,0>:ud\n" + TEST.replace("r12", "r13") + AGAIN, True),
        ("up:\n" + LOAD + SPILL.format("r12") + TEST + AGAIN, True),
        ("up:\n" + LOAD + TEST + "(W&f0.0) jmpi (1|M0) out\n(W) jmpi (1|M0) up\nout:", True),
        ("up:\n" + LOAD + TEST + "(W&f0.0) jmpi (1|M0) go\neot\ngo:\n(W) jmpi (1|M0) up", True),
        (
            "up:\n" + LOAD + TEST + "(W&f0.0) jmpi (1|M0) go\n(W) mov (1|M0) r20.0<1>:d 1:d\ngo:\n" + COUNT + AGAIN,
            True,
        ),
        ("(W) call (1|M0) r30.0 F\nup:\n" + LOAD + TEST + AGAIN + "eot\nF:\n(W) ret (1|M0) r30.0", True),
        # Counted loops, whatever they load.
        ("up:\n" + LOAD + COUNT + AGAIN, False),
        ("up:\n" + LOAD + TEST + COUNT + AGAIN, False),
        ("up:\n" + LOAD + TEST.replace("(W)", "   ") + COUNT + AGAIN, False),
        ("up:\n" + LOAD + "(W) mov (1|M0) r12.0<1>:ud 3:ud\n" + TEST + AGAIN, False),
        ("up:\n" + LOAD + SPILL.format("r20") + COUNT + AGAIN, False),
        ("up:\n" + LOAD + TEST + "(W&f0.0) jmpi (1|M0) go\nnop\ngo:\n" + COUNT + AGAIN, False),
        # What is loaded in front of a loop does not change in it.
        (LOAD + "up:\n" + TEST + AGAIN, False),
        (LOAD + "up:\n(W) add (1|M0) (gt)f0.0 r20.0<1>:d r20.0<0;1,0>:d r12.0<0;1,0>:d\n" + AGAIN, False),
        ("up:\n" + COUNT + AGAIN + LOAD + TEST, False),
        (LOAD + TEST, False),
    ],
)
def test_a_loop_spins_if_what_it_loads_keeps_it_going(text: str, spins: bool) -> None:
    assert bool(edges(text)) == spins


def test_only_the_inner_loop_spins() -> None:
    inner = LOAD + TEST + "(W&f0.0) jmpi (1|M0) inner\n"
    assert edges("up:\n" + COUNT + "inner:\n" + inner + COUNT + AGAIN) == {(3, 1)}


def test_the_analysis_takes_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    depth = 60
    heads = "".join(f"up{number}:\nnop\n" for number in range(depth))
    tails = "".join(f"{COUNT}(W&f0.0) jmpi (1|M0) up{number}\n" for number in reversed(range(depth)))
    assert not edges(heads + LOAD + tails)
    monkeypatch.setattr("xegpu.isa.code.spinning.MOST_STEPS", 1000)
    assert edges(heads + LOAD + tails)
