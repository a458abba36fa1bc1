"""The hazard checker: real code is clean, and each kind of missing wait is found."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.unit.zebin.support import SAMPLES
from xegpu.isa.native import NativeInstruction, assemble_native, find_hazards, native_instructions
from xegpu.isa.native.encoding.scoreboard import ScoreboardField, scoreboards
from xegpu.isa.native.scoreboard.footprint import footprint
from xegpu.isa.native.scoreboard.pipes import LATENCIES, ends_out_of_order, pipe_of
from xegpu.targets import XE_HPC, XE_HPG
from zebin import native_platform, read

HPC, HPG = XE_HPC, XE_HPG
NATIVE = [path for path in SAMPLES if path.stem.endswith((".pvc", ".dg2"))]


@pytest.mark.parametrize("path", NATIVE, ids=lambda path: path.stem)
def test_code_of_intels_compilers_is_clean(path: Path) -> None:
    zebin = read(path)
    platform = native_platform(zebin.target)
    assert platform is not None
    for kernel in zebin.kernels.values():
        assert not find_hazards(platform, bytes(kernel.code))


LOAD = "send.ugm (16|M0) r20 r22 null:0 0x0 0x04100580 {$1}\n"
STORE = "send.ugm (16|M0) null r22 r24:1 0x0 0x04000584"
PRODUCT = "dpas.8x8 (16|M0) r40:f r40:f r60.0:bf r80.0:bf {$3}\n"
ONES = "mov (16|M0) r2.0<1>:f 1.0:f\n"
CASES = {
    "read after write": (ONES, "mov (16|M0) r3.0<1>:d r2.0<1;1,0>:d", "F@1", ""),
    "part of a register": ("(W) mov (1|M0) r2.3<1>:d 1:w\n", "mov (16|M0) r3.0<1>:d r2.3<0;1,0>:d", "I@1", ""),
    "second register": ("mov (32|M0) r2.0<1>:d 1:w\n", "mov (16|M0) r9.0<1>:f r3.0<1;1,0>:f", "I@1", ""),
    "write after write": ("mov (16|M0) r2.0<1>:d 1:w\n", ONES.strip(), "I@1", ""),
    "write after read": ("mov (16|M0) r3.0<1>:d r2.0<1;1,0>:d\n", ONES.strip(), "I@1", ""),
    "double precision": ("mov (16|M0) r2.0<1>:df r4.0<1;1,0>:df\n", "mov (16|M0) r8.0<1>:q r2.0<1;1,0>:q", "L@1", ""),
    "function": ("math.inv (16|M0) r2.0<1>:f r4.0<1;1,0>:f\n", "mov (16|M0) r8.0<1>:f r2.0<1;1,0>:f", "M@1", ""),
    "flag written over": (
        "cmp (16|M0) (lt)f0.0 null<1>:f r4.0<1;1,0>:f 1.0:f\n",
        "(W) mov (1|M0) f0.0<1>:ud r8.0<0;1,0>:ud",
        "F@1",
        "",
    ),
    "accumulator": ("mov (16|M0) acc0.0<1>:f 1.0:f\n", "mov (16|M0) r8.0<1>:d acc0.0<1;1,0>:d", "F@1", ""),
    "address": ("mov (1|M0) a0.0<1>:uw 64:uw\n", "mov (16|M0) r8.0<1>:f r[a0.0]<0;1,0>:f", "I@1", ""),
    "mode of arithmetic": ("(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x4C0:uw\n", ONES.strip(), "I@1", ""),
    "payload of a message": ("mov (16|M0) r24.0<1>:d 1:w\n", STORE, "I@1,$2", "$2"),
    "result of a load": (LOAD, "mov (16|M0) r8.0<1>:d r20.0<1;1,0>:d", "$1.dst", "$1.src"),
    "loaded over": (LOAD, "mov (16|M0) r20.0<1>:d 1:w", "$1.dst", "$2.dst"),
    "payload written": (f"{STORE} {{$2}}\n", "mov (16|M0) r22.0<1>:d 1:w", "$2.src", ""),
    "loaded payload": (LOAD, "send.slm (16|M0) null r20 r24:1 0x0 0x04000504", "$1", "$2"),
    "result of a product": (PRODUCT, "mov (16|M0) r8.0<1>:f r47.0<1;1,0>:f", "$3.dst", "$3.src"),
    "factor of a product": (PRODUCT, "mov (16|M0) r67.0<1>:f 1.0:f", "$3.src", ""),
    "product of a result": (PRODUCT, "dpas.8x8 (16|M0) r48:f r48:f r60.0:bf r40.0:bf", "$3", "$4"),
    "two waits": (ONES + LOAD, "add (16|M0) r8.0<1>:f r2.0<1;1,0>:f r20.0<1;1,0>:f", "A@1,$1.dst", "$1.dst"),
    "behind a branch": (LOAD, "(f0.0) jmpi L\n nop\nL: mov (16|M0) r8.0<1>:d r20.0<1;1,0>:d", "$1.dst", ""),
}
"""An instruction, a later one, a scoreboard annotation of that which is enough, and one which is not."""


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_missing_wait_is_found(case: tuple[str, str, str, str]) -> None:
    before, after, enough, missing = case
    assert not find_hazards(HPC, assemble_native(HPC, f"{before}{after} {{{enough}}}"))
    (hazard,) = find_hazards(HPC, assemble_native(HPC, before + after + (f" {{{missing}}}" if missing else "")))
    assert hazard.offset > hazard.earlier


@pytest.mark.parametrize(
    "text",
    [
        "cmp (16|M0) (lt)f0.0 null<1>:f r4.0<1;1,0>:f 1.0:f\n(W) not (1|M0) f0.1<1>:uw f0.0<0;1,0>:uw",
        LOAD + "(W) mov (1|M0) null<1>:ud r20.0<0;1,0>:ud",
        "(f0.0) send.ugm (16|M0) r20 r22 null:0 0x0 0x04100580 {$1}\n(W) mov (1|M0) f0.0<1>:uw 0:uw",
    ],
    ids=["a flag as a source", "a move to nowhere", "a flag that has predicated a message"],
)
def test_what_intels_compiler_does_not_wait_for(text: str) -> None:
    """Hardware waits for flags that are read, and moves to null are there for their reading alone."""
    assert not find_hazards(HPC, assemble_native(HPC, text))


def test_a_distance_counts_the_instructions_of_a_pipe() -> None:
    between = "mov (16|M0) r100.0<1>:d 1:w\n" + "mov (16|M0) r101.0<1>:f 1.0:f\n" * 2
    text = f"{ONES}{between}mov (16|M0) r3.0<1>:d r2.0<1;1,0>:d "
    for wait, is_enough in {"F@3": True, "F@4": False, "I@1": False, "A@3": True, "A@4": False}.items():
        assert bool(find_hazards(HPC, assemble_native(HPC, f"{text}{{{wait}}}"))) != is_enough
    assert not find_hazards(HPC, assemble_native(HPC, f"{text}{{A@1}}" + "\n" + "sync.nop null {F@1}"))


def test_an_instruction_far_behind_needs_no_wait() -> None:
    for count, is_clean in ((10, True), (9, False)):
        between = "mov (16|M0) r100.0<1>:f 1.0:f\n" * count
        code = assemble_native(HPC, f"{ONES}{between}mov (16|M0) r3.0<1>:d r2.0<1;1,0>:d")
        assert bool(find_hazards(HPC, code)) != is_clean


def test_every_path_is_followed() -> None:
    """A wait on one side of a branch is none on the other; a loop comes back to what is under way."""
    text = "{load}(f0.0) goto (16|M0) L L\n{wait}\nL: join (16|M0) E\nE: mov (16|M0) r8.0<1>:d r20.0<1;1,0>:d{end}"
    one_side = text.format(load=LOAD, wait="sync.nop null {$1.dst}", end="")
    assert find_hazards(HPC, assemble_native(HPC, one_side))
    assert not find_hazards(HPC, assemble_native(HPC, text.format(load=LOAD, wait="", end=" {$1.dst}")))
    loop = "L: mov (16|M0) r20.0<1>:d 1:w {wait}\n" + LOAD.replace("{$1}", "{I@1,$1}") + "(W&f0.0) jmpi L"
    assert find_hazards(HPC, assemble_native(HPC, loop.replace("{wait}", "")))
    assert not find_hazards(HPC, assemble_native(HPC, loop.replace("{wait}", "{$1.dst}")))


@pytest.mark.parametrize(
    ("load", "other", "there", "is_clean"),
    [
        (LOAD, "", " {$1.dst}", True),
        (LOAD, "", "", False),
        (f"(W) {LOAD}", "", " {$1.dst}", False),
        (f"(W) {LOAD}", " {$1.dst}", " {$1.dst}", True),
    ],
    ids=["there", "nowhere", "here for all", "everywhere"],
)
def test_other_channels_do_not_wait_for_what_these_load(load: str, other: str, there: str, is_clean: bool) -> None:
    """Channels that have loaded go on behind the other ones, which come to the join in between."""
    text = f"(f0.0) goto (16|M0) L L\n{load}goto (16|M0) L E\nL: join (16|M0) E\n"
    text += f"mov (16|M0) r8.0<1>:d r20.0<1;1,0>:d{other}\nE: join (16|M0) X\n"
    text += f"X: mov (16|M0) r9.0<1>:d r20.0<1;1,0>:d{there}"
    assert bool(find_hazards(HPC, assemble_native(HPC, text))) != is_clean


def test_a_jump_out_of_the_code_is_followed_nowhere() -> None:
    assert not find_hazards(HPC, assemble_native(HPC, "(f0.0) goto (16|M0) 4096 4096\nnop"))


def test_xe_hpg_has_functions_with_tokens() -> None:
    text = "math.inv (8|M0) r2.0<1>:f r4.0<1;1,0>:f {{$1}}\nmov (8|M0) r8.0<1>:f r2.0<1;1,0>:f {wait}"
    assert find_hazards(HPG, assemble_native(HPG, text.format(wait="{F@1}")))
    assert not find_hazards(HPG, assemble_native(HPG, text.format(wait="{$1.dst}")))


def test_tokens_can_be_waited_for_together() -> None:
    for sync, is_enough in {"allwr": True, "allrd": False}.items():
        for tokens in ("null", "($1,$5)"):
            code = assemble_native(HPC, f"{LOAD}sync.{sync} {tokens}\nmov (16|M0) r8.0<1>:d r20.0<1;1,0>:d")
            assert bool(find_hazards(HPC, code)) != is_enough
    assert find_hazards(HPC, assemble_native(HPC, f"{LOAD}sync.allwr ($5)\nmov (16|M0) r8.0<1>:d r20.0<1;1,0>:d"))


# Pair by pair --------------------------------------------------------------------------------------------------------

_OPERATIONS = (
    "mov (16|M0) r{a}.0<1>:f r{b}.0<1;1,0>:f",
    "add (16|M0) r{a}.0<1>:d r{b}.0<1;1,0>:d r{c}.0<1;1,0>:d",
    "mov (16|M0) r{a}.0<1>:df r{b}.0<1;1,0>:df",
    "math.exp (16|M0) r{a}.0<1>:f r{b}.0<1;1,0>:f",
    "send.ugm (16|M0) r{a} r{b} null:0 0x0 0x04100580",
    "send.slm (16|M0) null r{b} r{c}:1 0x0 0x04000504",
)


def random_lines(generator: random.Random) -> list[str]:
    """Instructions on few registers, without waits."""
    lines = []
    for _ in range(20):
        a, b, c = (generator.randrange(2, 12, 2) for _ in range(3))
        lines.append(generator.choice(_OPERATIONS).format(a=a, b=b, c=c))
    return lines


def _random_code(generator: random.Random) -> bytes:
    lines = []
    for operation in random_lines(generator):
        token = generator.randrange(4)
        waits = [f"{generator.choice('FILMA')}@{generator.randint(1, 7)}", f"${token}.dst", f"${token}.src"]
        is_message = operation.startswith("send")
        wait = generator.choice([f"A@{generator.randint(1, 7)},${token}", f"${token}"] if is_message else waits)
        lines.append(f"{operation} {{{wait}}}")
    return assemble_native(HPC, "\n".join(lines))


def _boards(instructions: Sequence[NativeInstruction]) -> list[ScoreboardField]:
    return [
        scoreboards(instruction.encoding, instruction.opcode.form)[instruction["scoreboard"]]
        for instruction in instructions
    ]


def _unordered_pairs(code: bytes) -> Iterator[tuple[int, int]]:
    """Yields the pairs of dependent instructions of straight code of which none between them waits for the first."""
    instructions = [instruction for _, instruction in native_instructions(HPC, code)]
    boards, prints = _boards(instructions), [footprint(instruction) for instruction in instructions]
    pipes = [pipe_of(instruction) or instruction["unit"] for instruction in instructions]
    for later in range(len(instructions)):
        for earlier in range(later):
            mine, theirs, is_same = prints[later], prints[earlier], pipes[later] == pipes[earlier]
            after = range(earlier + 1, later + 1)
            if not ends_out_of_order(instructions[earlier]):
                pipe = str(pipes[earlier])
                since = {at: 1 + sum(pipes[i] == pipe for i in range(earlier + 1, at)) for at in after}
                needed = theirs.writes & mine.reads
                needed |= 0 if is_same else (theirs.writes | theirs.reads) & mine.writes
                waits = any(
                    boards[at].distance and boards[at].pipe in (pipe, "A") and (boards[at].distance or 0) <= since[at]
                    for at in after
                )
                if needed and not waits and since[later] < LATENCIES[pipe]:
                    yield earlier, later
                continue
            own = boards[earlier].token
            ends = any(boards[at].token == own and boards[at].kind in ("", ".dst") for at in after)
            if theirs.writes & (mine.reads | mine.writes) and not ends:
                yield earlier, later
            queue = [at for at in range(earlier, later) if pipes[at] == pipes[earlier]]
            has_read = any(boards[at].token == boards[q].token for q in queue for at in range(q + 1, later + 1))
            if theirs.reads & mine.writes and not is_same and not has_read:
                yield earlier, later


@pytest.mark.parametrize("seed", range(40))
def test_straight_code_is_checked_as_pair_by_pair(seed: int) -> None:
    code = _random_code(random.Random(seed))
    offsets = [offset for offset, _ in native_instructions(HPC, code)]
    expected = {(offsets[earlier], offsets[later]) for earlier, later in _unordered_pairs(code)}
    assert {(hazard.earlier, hazard.offset) for hazard in find_hazards(HPC, code)} == expected
    assert expected
