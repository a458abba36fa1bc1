"""Usual sequences for operations without an instruction; `docs/isa.md` shows them, and tests execute them."""

from __future__ import annotations

from xegpu.on_demand import dataclass


@dataclass(frozen=True)
class Idiom:
    """A sequence for 16 channels in registers of 64 bytes. Values are in `r2`, results in `r3`."""

    name: str
    meaning: str
    text: str


IDIOMS = (
    Idiom(
        "channel numbers",
        "as words; adding 16 gives those of channels 16 to 31",
        """\
(W) mov (8|M0) r3.0:w 0x76543210:v
(W) add (8|M0) r3.8:w r3.0:w 8:w
(W) add (16|M0) r3.16:w r3.0:w 16:w
""",
    ),
    Idiom(
        "ballot",
        "a bit for each enabled channel whose r2 is not zero; bits of channels that are off are cleared first",
        """\
(W) mov (1|M0) f0.0:ud 0:ud
cmp (16|M0) (ne)f0.0 null:d r2:d 0:d
(W) mov (1|M0) r3:ud f0.0:ud
""",
    ),
    Idiom(
        "vote",
        "1 in all channels if r2 is not zero in any enabled one; for `.all`, set the bits of the other channels first",
        """\
(W) mov (1|M0) f0.0:ud 0:ud
cmp (16|M0) (ne)f0.0 null:d r2:d 0:d
(W) mov (16|M0) r3:d 0:d
(W&f0.0.any) mov (16|M0) r3:d 1:d
""",
    ),
    Idiom(
        "first enabled channel",
        "its number, from the execution mask",
        """\
(W) fbl (1|M0) r3:ud ce0.0:ud
""",
    ),
    Idiom(
        "shuffle",
        "r2 of the channel whose number is in r4; 128 is the byte address of r2",
        """\
(W) shl (16|M0) r5:uw r4.0<2;1,0>:uw 2:uw
(W) add (16|M0) a0.0:uw r5:uw 128:uw
mov (16|M0) r3:d r[a0.0, 0]<1,0>:d
""",
    ),
    Idiom(
        "broadcast",
        "r2 of the channel whose number is in r4, the same for all",
        """\
(W) shl (1|M0) r5:uw r4:uw 2:uw
(W) add (1|M0) a0.0:uw r5:uw 128:uw
mov (16|M0) r3:d r[a0.0, 0]<0;1,0>:d
""",
    ),
    Idiom(
        "exchange of neighbours",
        "r2 of the channel whose number differs in the lowest bit: regions need no address",
        """\
(W) mov (8|M0) r3.0<2>:d r2.1<2;1,0>:d
(W) mov (8|M0) r3.1<2>:d r2.0<2;1,0>:d
""",
    ),
    Idiom(
        "sum",
        "of r2 in all channels, by halves",
        """\
(W) add (8|M0) r3:f r2.0:f r2.8:f
(W) add (4|M0) r3:f r3.0:f r3.4:f
(W) add (2|M0) r3:f r3.0:f r3.2:f
(W) add (1|M0) r3:f r3.0:f r3.1:f
""",
    ),
    Idiom(
        "inclusive prefix sum",
        "of r2: each step adds the last sum of a lower half to all of the upper one",
        """\
(W) mov (16|M0) r3:d r2:d
(W) add (8|M0) r3.1<2>:d r3.0<2;1,0>:d r3.1<2;1,0>:d
(W) add (4|M0) r3.2<4>:d r3.1<4;1,0>:d r3.2<4;1,0>:d
(W) add (4|M0) r3.3<4>:d r3.1<4;1,0>:d r3.3<4;1,0>:d
(W) add (4|M0) r3.4:d r3.3<0;1,0>:d r3.4:d
(W) add (4|M0) r3.12:d r3.11<0;1,0>:d r3.12:d
(W) add (8|M0) r3.8:d r3.7<0;1,0>:d r3.8:d
""",
    ),
    Idiom(
        "sum of 64-bit numbers in halves",
        "low halves in r2 and r4, high ones in r5 and r6; the result in r3 and r7",
        """\
addc (16|M0) r3:ud r8:ud r2:ud r4:ud
add3 (16|M0) r7:ud r5:ud r6:ud r8:ud
""",
    ),
)
