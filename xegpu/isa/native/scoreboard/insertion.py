"""Insertion of the scoreboard: instructions of straight code wait for what they depend on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.encoding.scoreboard import scoreboard_codes
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.isa.native.layouts.opcodes import BY_MNEMONIC
from xegpu.isa.native.platforms import encoding_of
from xegpu.isa.native.scoreboard.footprint import NativeFootprint, footprint
from xegpu.isa.native.scoreboard.pipes import ALL, LATENCIES, ends_out_of_order, pipe_of
from xegpu.on_demand import dataclass
from xegpu.targets import Platform

_MAX_DISTANCE = 7
_TOKENS = 16
"""The tokens that kernels with any number of registers have."""

_JOIN = "join"
_ALL_WRITTEN = 3
"""The function of `sync` that waits for all tokens."""


@dataclass
class _Flying:
    """An instruction under way: what it reads and writes, its pipe and its number in that, or its token."""

    footprint: NativeFootprint
    pipe: str | None
    number: int = 0
    token: int = 0
    is_read: bool = False
    is_product: bool = False


@dataclass
class _Waits:
    """The waits of an instruction: the least distance by pipe, and tokens."""

    distances: dict[str, int] = field(default_factory=dict)
    done: set[int] = field(default_factory=set)
    read: set[int] = field(default_factory=set)


class ScoreboardInserter:
    """Adds waits to code, block by block: at the end of a block everything is waited for that has a token.

    Blocks begin with a wait for all pipes. That is more than hardware needs, and right whatever the paths are.
    """

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._encoding = encoding_of(platform)
        self._flying: list[_Flying] = []
        self._counts = dict.fromkeys(LATENCIES, 0)
        self._next_token = 0

    def block(self, instructions: Sequence[NativeInstruction]) -> Iterator[NativeInstruction]:
        """Yields the instructions of a block with their waits, and those that only wait."""
        self._flying = []
        rest = list(instructions)
        if rest and rest[0].opcode.mnemonic == _JOIN:
            # Branches lead to the join itself, so that it waits.
            yield _with_scoreboard(rest.pop(0), "A@1")
        else:
            yield self._sync("A@1")
        for instruction in rest:
            if instruction.opcode.is_branch:
                yield from self._drain()
            yield from self._with_waits(instruction)
        if not instructions or not (instructions[-1].opcode.is_branch or instructions[-1]["eot"]):
            yield from self._drain()

    def _drain(self) -> Iterator[NativeInstruction]:
        """Yields a wait for all tokens if there are any."""
        if any(flying.pipe is None for flying in self._flying):
            yield replace(self._sync(""), fields={"function": _ALL_WRITTEN, "dst.stride": 1})
            self._flying = [flying for flying in self._flying if flying.pipe is not None]

    def _sync(self, wait: str) -> NativeInstruction:
        code = scoreboard_codes(self._encoding, NativeForm.SYNC)[wait]
        return NativeInstruction(self._platform, BY_MNEMONIC["sync"], {"scoreboard": code, "dst.stride": 1})

    def _with_waits(self, instruction: NativeInstruction) -> Iterator[NativeInstruction]:
        prints = footprint(instruction)
        waits = self._needed(instruction, prints)
        self._forget(waits)
        token = None
        if ends_out_of_order(instruction) and not instruction["eot"]:
            token = self._next_token
            self._next_token = (token + 1) % _TOKENS
            self._forget(_Waits(done={token}))
        own, others = self._texts(waits, token, instruction.opcode.form)
        for text in others:
            yield self._sync(text)
        yield _with_scoreboard(instruction, own)
        self._start(instruction, prints, token)

    def _texts(self, waits: _Waits, token: int | None, form: NativeForm) -> tuple[str, list[str]]:
        """Returns the annotation of an instruction, and those of waits in front of it.

        An instruction takes one wait, and a message a distance in one of some pipes beside its token.
        """
        distances = dict(waits.distances)
        if len(distances) > 1:
            distances = {ALL: min(distances.values())}
        texts = [f"${n}.dst" for n in sorted(waits.done)] + [f"${n}.src" for n in sorted(waits.read - waits.done)]
        distance = next((f"{pipe}@{count}" for pipe, count in distances.items()), "")
        if token is None:
            own = distance or (texts.pop() if texts else "")
        else:
            paired = f"{distance},${token}"
            takes_pair = distance and form is NativeForm.SEND and paired in scoreboard_codes(self._encoding, form)
            own = paired if takes_pair else f"${token}"
            texts += [distance] if distance and not takes_pair else []
        return own, texts

    def _needed(self, instruction: NativeInstruction, mine: NativeFootprint) -> _Waits:
        """Returns what an instruction depends on."""
        waits, pipe = _Waits(), pipe_of(instruction)
        is_product = instruction.opcode.form is NativeForm.DPAS
        for flying in self._flying:
            theirs = flying.footprint
            after_write = theirs.writes & (mine.reads | mine.writes)
            after_read = theirs.reads & mine.writes
            if flying.pipe is not None:
                needed = theirs.writes & mine.reads if flying.pipe == pipe else after_write | after_read
                distance = self._counts[flying.pipe] - flying.number
                if needed and distance < LATENCIES[flying.pipe]:
                    near = min(distance, _MAX_DISTANCE)
                    waits.distances[flying.pipe] = min(near, waits.distances.get(flying.pipe, near))
            elif after_write and not (is_product and _accumulates(flying, mine)):
                waits.done.add(flying.token)
            elif after_read and not flying.is_read:
                waits.read.add(flying.token)
        return waits

    def _forget(self, waits: _Waits) -> None:
        """Removes what has been waited for."""
        left = []
        for flying in self._flying:
            if flying.pipe is not None:
                count = waits.distances.get(flying.pipe)
                if count is not None and self._counts[flying.pipe] - flying.number >= count:
                    continue
            elif flying.token in waits.done:
                continue
            elif flying.token in waits.read:
                flying.is_read = True
            left.append(flying)
        self._flying = left

    def _start(self, instruction: NativeInstruction, prints: NativeFootprint, token: int | None) -> None:
        pipe = pipe_of(instruction)
        if pipe is not None:
            self._flying.append(_Flying(prints, pipe, self._counts[pipe]))
            self._counts[pipe] += 1
        elif token is not None:
            is_product = instruction.opcode.form is NativeForm.DPAS
            self._flying.append(_Flying(prints, None, token=token, is_product=is_product))


def _with_scoreboard(instruction: NativeInstruction, wait: str) -> NativeInstruction:
    """Returns an instruction with an annotation."""
    code = scoreboard_codes(instruction.encoding, instruction.opcode.form)[wait]
    return replace(instruction, fields={**instruction.fields, "scoreboard": code})


def _accumulates(flying: _Flying, mine: NativeFootprint) -> bool:
    """Returns whether a matrix product adds to the result of the one under way."""
    return flying.is_product and bool(mine.accumulates) and flying.footprint.writes == mine.writes == mine.accumulates
