"""The values that a thread of compiled code stores to its frame and loads from it, and where it does.

While a thread waits, or others take their turns, its values are in its frame. They need not be stored and loaded at
each wait: a value goes to the frame once after it was written, and comes back where it is next used. KeptPlaces are
registers and flags. Two facts about a place are followed through the program:

* it is held: the variable, or the register in memory, has the value;
* it is kept: the frame has the value.

One of them holds for every live place. After a wait all is kept and nothing held. Where paths meet, and a place is only
held on some and only kept on others, the former store it. Loops without waits hold what they use: it is loaded before
them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from runtime.simulator.jit.state.registers import RegisterPlan
from xegpu.isa import Flag, Instruction, Program, SourceRegister
from xegpu.isa.code import BasicBlock, Edge, blocks_before, live_before
from xegpu.isa.formats import FIRST_ARCHITECTURE, Footprint
from xegpu.isa.model import ARCHITECTURE

_FIRST_FLAG = FIRST_ARCHITECTURE + len(ARCHITECTURE)
_FLAG_BITS = 32
_ALL = -1


@dataclass(frozen=True)
class KeptPlaces:
    """Registers and flags, by their numbers."""

    registers: frozenset[int] = frozenset()
    flags: frozenset[int] = frozenset()


_NOTHING = KeptPlaces()


@dataclass(frozen=True, slots=True)
class _PlaceEffect:
    """The effect of instructions on places: a bit for each register, and for each bit of a flag.

    `reads` are read before they are written as a whole; of `writes`, `covers` are written as a whole.
    """

    reads: int = 0
    writes: int = 0
    covers: int = 0

    def then(self, other: _PlaceEffect) -> _PlaceEffect:
        """Returns the effect of both, this one first."""
        return _PlaceEffect(
            self.reads | other.reads & ~self.covers, self.writes | other.writes, self.covers | other.covers
        )


class Keeping:
    """Decides what each block of a program stores and loads."""

    def __init__(
        self,
        program: Program,
        blocks: Sequence[BasicBlock],
        footprints: Sequence[Footprint],
        registers: RegisterPlan,
        flags: int,
    ):
        self._blocks = {block.start: block for block in blocks}
        self._starts = list(self._blocks)
        self._start_of = {block.end - 1: block.start for block in blocks}
        self._before = blocks_before(blocks)
        self._waits = {block.start for block in blocks if program.instructions[block.end - 1].spec.waits}
        self._units = _PlaceUnits(registers, flags)
        effects = {}
        for block in blocks:
            effect = _PlaceEffect()
            for index in range(block.start, block.end):
                effect = effect.then(_effect(program.instructions[index], footprints[index], registers))
            effects[block.start] = effect
        live = live_before(blocks, {start: (effect.reads, effect.covers) for start, effect in effects.items()})
        self._live = {start: self._units.touched(bits) for start, bits in live.items()}
        self._effects = {}
        for start, effect in effects.items():
            covers, writes = self._units.covered(effect.covers), self._units.touched(effect.writes)
            reads = (self._units.touched(effect.reads) | writes & ~covers) & self._live[start]
            self._effects[start] = _PlaceEffect(reads, writes, covers)
        self._stored, self._loaded = dict.fromkeys(self._blocks, 0), dict.fromkeys(self._blocks, 0)
        self._kept: dict[int, int] = {}
        self._held: dict[int, int] = {}
        self._stored_first = 0
        self._solve(0, self._kept_after, self._kept)
        self._solve(_ALL, self._held_after, self._held)
        self._load_before_loops()
        self._solve(_ALL, self._held_after, self._held)
        self._store_before_merges()
        self._solve(self._stored_first, self._kept_after, self._kept)

    # Decisions.

    def stored_first(self) -> KeptPlaces:
        """Returns what a thread stores when it starts."""
        return _places(self._stored_first)

    def loaded_before(self, start: int) -> KeptPlaces:
        """Returns what a block loads first."""
        return _places(self._effects[start].reads & ~self._held[start])

    def stored_after(self, start: int) -> KeptPlaces:
        """Returns what a block stores at its end; one that waits, before it does."""
        if start in self._waits:
            return _places(self._live_after(start) & ~(self._kept[start] & ~self._effects[start].writes))
        return _places(self._stored[start])

    def loaded_after(self, start: int) -> KeptPlaces:
        """Returns what a block loads at its end; one that waits, after it has."""
        return _places(self._loaded[start])

    def stored_on(self, edge: Edge) -> KeptPlaces:
        """Returns what a thread stores that yields at a branch."""
        return _places(self._live[edge[1]] & ~self._kept_after(self._start_of[edge[0]]))

    def loaded_on(self, edge: Edge) -> KeptPlaces:
        """Returns what a thread loads that has yielded at a branch: what it held there."""
        return _places(self._live[edge[1]] & self._held_after(self._start_of[edge[0]]))

    # Analysis.

    def _live_after(self, start: int) -> int:
        live = 0
        for after in self._blocks[start].successors:
            live |= self._live[after]
        return live

    def _kept_after(self, start: int) -> int:
        kept = self._kept[start] & ~self._effects[start].writes | self._stored[start]
        return kept | self._live_after(start) if start in self._waits else kept

    def _held_after(self, start: int) -> int:
        effect = self._effects[start]
        held = 0 if start in self._waits else self._held[start] | effect.reads | effect.writes
        return held | self._loaded[start]

    def _solve(self, first: int, after: Callable[[int], int], facts: dict[int, int]) -> None:
        """Finds what holds before each block on every path: `first` at the start of the program."""
        facts.update(dict.fromkeys(self._blocks, _ALL))
        facts[next(iter(self._blocks))] = first
        waiting = list(reversed(self._blocks))
        while waiting:
            start = waiting.pop()
            out = after(start)
            for following in self._blocks[start].successors:
                if facts[following] & ~out:
                    facts[following] &= out
                    waiting.append(following)

    def _load_before_loops(self) -> None:
        for header, last in self._loops_without_waits():
            used = 0
            for start in self._starts[bisect_left(self._starts, header) : bisect_right(self._starts, last)]:
                used |= self._effects[start].reads
            for before in self._before[header]:
                if not header <= before <= last:
                    missing = used & self._live[header] & ~self._held_after(before)
                    self._loaded[before] |= missing & self._kept_after(before)

    def _loops_without_waits(self) -> Iterator[tuple[int, int]]:
        """Yields the first and last block of the outermost loops in which no thread waits, in order."""
        ends: dict[int, int] = {}
        for start, block in self._blocks.items():
            for after in block.successors:
                if after <= start:
                    ends[after] = max(start, ends.get(after, start))
        waits = sorted(self._waits)
        outside = 0
        for header, last in sorted(ends.items()):
            if header >= outside and bisect_left(waits, header) == bisect_right(waits, last):
                outside = last + 1
                yield header, last

    def _store_before_merges(self) -> None:
        for start in self._starts:
            differing = self._live[start] & ~self._held[start] & ~self._kept[start]
            if not differing:
                continue
            for before in self._before[start]:
                self._stored[before] |= differing & self._held_after(before) & ~self._kept_after(before)
            if start == self._starts[0]:
                self._stored_first = differing


class _PlaceUnits:
    """KeptPlaces that are stored and loaded together: the bits of a flag, and registers that share a variable."""

    def __init__(self, registers: RegisterPlan, flags: int):
        self._units = [((1 << _FLAG_BITS) - 1) << _FIRST_FLAG + _FLAG_BITS * number for number in range(flags)]
        self._units += [sum(1 << number for number in joined) for joined in registers.joined()]

    def touched(self, bits: int) -> int:
        """Returns all places of units of which some are in a set."""
        for unit in self._units:
            if bits & unit:
                bits |= unit
        return bits

    def covered(self, bits: int) -> int:
        """Returns the places of a set without those of units that are not in it as a whole."""
        for unit in self._units:
            if unit & ~bits:
                bits &= ~unit
        return bits


def _effect(instruction: Instruction, footprint: Footprint, registers: RegisterPlan) -> _PlaceEffect:
    reads = writes = covers = 0
    for span in footprint.reads:
        reads |= _bits(registers.numbers(span))
    for span in footprint.writes:
        writes |= _bits(registers.numbers(span))
        covers |= _bits(registers.covered(span))
    predicate, condition, destination = instruction.predicate, instruction.condition, instruction.destination
    if predicate is not None:
        reads |= _flag(predicate.flag, instruction)
    for source in instruction.sources:
        if isinstance(source, SourceRegister) and source.register.flag is not None:
            reads |= _whole_flag(source.register.flag)
    if condition is not None and condition.flag is not None:
        written = _flag(condition.flag, instruction)
        writes |= written
        if instruction.no_mask and predicate is None:
            covers |= written
    if destination is not None and destination.register.flag is not None:
        writes |= _whole_flag(destination.register.flag)
    return _PlaceEffect(reads | writes & ~covers, writes, covers)


def _flag(flag: Flag, instruction: Instruction) -> int:
    """Returns the flag bits of the channels of an instruction."""
    first = _FIRST_FLAG + _FLAG_BITS * flag.number + 16 * flag.half + instruction.channel_offset
    return _bits(range(first, first + instruction.exec_size))


def _whole_flag(number: int) -> int:
    first = _FIRST_FLAG + _FLAG_BITS * number
    return _bits(range(first, first + _FLAG_BITS))


def _bits(numbers: range) -> int:
    return (1 << numbers.stop) - (1 << numbers.start) if numbers else 0


def _places(bits: int) -> KeptPlaces:
    if not bits:
        return _NOTHING
    numbers = []
    while bits:
        numbers.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return KeptPlaces(
        frozenset(number for number in numbers if number < _FIRST_FLAG),
        frozenset((number - _FIRST_FLAG) // _FLAG_BITS for number in numbers if number >= _FIRST_FLAG),
    )
