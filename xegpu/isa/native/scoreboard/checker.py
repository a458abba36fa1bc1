"""The hazard checker: finds instructions of native code that do not wait for what they depend on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.encoding.scoreboard import scoreboards
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.isa.native.scoreboard.flow import FlowNode, flow_graph
from xegpu.isa.native.scoreboard.footprint import (
    ACCUMULATORS,
    ADDRESSES,
    FLAGS,
    NativeFootprint,
    architecture_bytes,
    footprint,
    name_of,
)
from xegpu.isa.native.scoreboard.pipes import LATENCIES, ends_out_of_order, pipe_of, waited_pipes
from xegpu.isa.native.text.formatter import TOKEN_SYNCS
from xegpu.isa.native.text.program import native_instructions
from xegpu.on_demand import dataclass
from xegpu.targets import Platform

_SYNC_OF_WRITES = "allwr"


@dataclass(frozen=True)
class Hazard:
    """An instruction that accesses a register without waiting, on some path, for an earlier instruction's access."""

    offset: int
    earlier: int
    access: str
    earlier_access: str
    register: str

    def __str__(self) -> str:
        return (
            f"at offset {self.offset:#x}: {self.access} {self.register}, which the instruction at {self.earlier:#x} "
            f"{self.earlier_access}, without waiting for that"
        )


@dataclass(frozen=True)
class _Step:
    """The facts about an instruction that the proof uses.

    `only_waits` says that it has no result: what it reads does not matter. `no_mask`: all channels execute it. `queue`
    is absent for instructions of pipes; those of one queue read their registers in order. `pipes` and `distance` are
    waited for, and `tokens`: to the end of what has them, or just until it `reads_only`. Out of order instructions set
    `own` tokens.
    """

    footprint: NativeFootprint
    only_waits: bool
    no_mask: bool
    pipe: str | None
    queue: tuple[str, int] | None
    pipes: frozenset[str]
    distance: int
    tokens: frozenset[int]
    reads_only: bool
    own: frozenset[int]


@dataclass(frozen=True)
class _State:
    """The instructions that may not have ended.

    `ordered` are those of pipes, with the number of instructions of the pipe since; `reading` those that may still read
    their sources, with the tokens that tell when they have, and `writing` those that may not have written.
    """

    ordered: Mapping[int, int]
    reading: Mapping[int, frozenset[int]]
    writing: frozenset[int]

    def merged(self, other: _State) -> _State:
        """Returns the state behind two paths."""
        ordered = {**self.ordered, **other.ordered}
        ordered |= {step: min(count, other.ordered.get(step, count)) for step, count in self.ordered.items()}
        reading = {**self.reading, **other.reading}
        reading |= {step: tokens & other.reading.get(step, tokens) for step, tokens in self.reading.items()}
        return _State(ordered, reading, self.writing | other.writing)

    def of_all_channels(self, steps: Sequence[_Step]) -> _State:
        """Returns the state for other channels than those that have come here: what these have is none of theirs."""
        reading = {step: tokens for step, tokens in self.reading.items() if steps[step].no_mask}
        return _State({}, reading, frozenset(step for step in self.writing if steps[step].no_mask))


_START = _State({}, {}, frozenset())


def find_hazards(platform: Platform, code: bytes) -> tuple[Hazard, ...]:
    """Returns the hazards of native code, by offset. Raises `DecodeError` for words that are no instructions.

    Assumed is that a branch that is taken lasts longer than the instructions of pipes in front of it, and that
    messages to one unit read their registers in order. What indirect operands name is not known, nor the length of
    messages with a descriptor in a register: of these the first register counts.
    """
    pairs = list(native_instructions(platform, code))
    offsets, instructions = [offset for offset, _ in pairs], [instruction for _, instruction in pairs]
    steps = [_step(instruction) for instruction in instructions]
    nodes = flow_graph(instructions, offsets)
    found: dict[Hazard, None] = {}
    for index, before in _reached(nodes, steps, _roots(instructions)):
        state = _waited(steps, index, before)
        for earlier, access, earlier_access, registers in _conflicts(platform, steps, index, state):
            lowest = (registers & -registers).bit_length() - 1
            hazard = Hazard(offsets[index], offsets[earlier], access, earlier_access, name_of(platform, lowest))
            found[hazard] = None
    return tuple(sorted(found, key=lambda hazard: (hazard.offset, hazard.earlier)))


def _step(instruction: NativeInstruction) -> _Step:
    board = scoreboards(instruction.encoding, instruction.opcode.form)[instruction["scoreboard"]]
    is_slow = ends_out_of_order(instruction)
    token = frozenset() if board.token is None else frozenset({board.token})
    tokens, reads_only = token, board.kind == ".src"
    if instruction.opcode.form is NativeForm.SYNC:
        function = instruction.encoding.sync_functions[instruction["function"]]
        if function in TOKEN_SYNCS:
            given = instruction["src0.imm"] if instruction["src0.immediate"] else -1
            tokens = frozenset(token for token in range(instruction.encoding.tokens) if given >> token & 1)
            reads_only = function != _SYNC_OF_WRITES
    found = footprint(instruction)
    return _Step(
        found,
        not (is_slow or found.writes or instruction.opcode.is_branch or instruction["dst.indirect"]),
        bool(instruction["no_mask"]),
        pipe_of(instruction),
        (instruction.opcode.mnemonic, instruction["unit"]) if is_slow else None,
        waited_pipes(instruction, board.pipe) if board.distance else frozenset(),
        board.distance or 0,
        tokens,
        reads_only,
        token if is_slow and not board.kind else frozenset(),
    )


# Paths ---------------------------------------------------------------------------------------------------------------


def _roots(instructions: Sequence[NativeInstruction]) -> list[int]:
    """Returns where code may start: at its begin, and behind what control does not go on from."""
    ends = [bool(i["eot"]) or i.opcode.mnemonic == "ret" for i in instructions[:-1]]
    return [0, *(index + 1 for index, end in enumerate(ends) if end)]


def _reached(nodes: Sequence[FlowNode], steps: Sequence[_Step], roots: Sequence[int]) -> Iterator[tuple[int, _State]]:
    """Yields the instructions with the state in front of them, once for all paths there."""
    before: dict[int, _State] = {}
    for root in roots:
        if root < len(steps) and root not in before:
            before[root] = _START
            _propagate(nodes, steps, before, root)
    for node, state in before.items():
        yield nodes[node].index, state


def _propagate(nodes: Sequence[FlowNode], steps: Sequence[_Step], before: dict[int, _State], root: int) -> None:
    waiting = [root]
    while waiting:
        number = waiting.pop()
        node = nodes[number]
        after = _issued(steps, node.index, _waited(steps, node.index, before[number]))
        jumped = _State({}, after.reading, after.writing)
        arriving = [(target, jumped) for target in node.jumps]
        arriving += [(target, jumped.of_all_channels(steps)) for target in node.others]
        if node.next is not None:
            arriving.append((node.next, after))
        for target, state in arriving:
            merged = before[target].merged(state) if target in before else state
            if before.get(target) != merged:
                before[target] = merged
                waiting.append(target)


def _waited(steps: Sequence[_Step], index: int, state: _State) -> _State:
    """Returns the state when an instruction has done its waiting. A token is not set before its last use has ended."""
    step, ordered, reading, writing = steps[index], state.ordered, state.reading, state.writing
    if step.distance:
        ordered = {
            earlier: count
            for earlier, count in ordered.items()
            if steps[earlier].pipe not in step.pipes or count < step.distance
        }
    if step.tokens:
        reading = {earlier: tokens for earlier, tokens in reading.items() if not tokens & step.tokens}
        if not step.reads_only:
            writing = frozenset(earlier for earlier in writing if not steps[earlier].own & step.tokens)
    return _State(ordered, reading, writing)


def _issued(steps: Sequence[_Step], index: int, state: _State) -> _State:
    """Returns the state when an instruction is under way."""
    step, ordered, reading, writing = steps[index], state.ordered, state.reading, state.writing
    if step.pipe is not None:
        counts = {earlier: count + (steps[earlier].pipe == step.pipe) for earlier, count in ordered.items()}
        ordered = {earlier: count for earlier, count in counts.items() if count < LATENCIES[steps[earlier].pipe or ""]}
        ordered[index] = 1
    if step.queue is not None:
        reading = {
            earlier: tokens | step.own if steps[earlier].queue == step.queue else tokens
            for earlier, tokens in reading.items()
        }
        reading[index] = step.own
        writing = writing | {index}
    return _State(ordered, reading, writing)


# Dependences ---------------------------------------------------------------------------------------------------------

_READS, _WRITES = "reads", "writes"
_Conflict = tuple[int, str, str, int]
"""An earlier instruction, what the later and the earlier one do, and the bytes."""


def _conflicts(platform: Platform, steps: Sequence[_Step], index: int, state: _State) -> Iterator[_Conflict]:
    """Yields the accesses of an instruction that conflict with those of instructions under way."""
    step, mine = steps[index], steps[index].footprint
    if step.only_waits:
        return
    for earlier in state.ordered:
        theirs, is_same = steps[earlier].footprint, steps[earlier].pipe == step.pipe
        yield from _accesses(earlier, theirs, mine, _READS, _WRITES, _interlocked(platform, step, is_same))
        if not is_same:
            yield from _accesses(earlier, theirs, mine, _WRITES, _WRITES, 0)
            yield from _accesses(earlier, theirs, mine, _WRITES, _READS, 0)
    for earlier in state.writing:
        theirs = steps[earlier].footprint
        if not _accumulates(steps[earlier], step):
            yield from _accesses(earlier, theirs, mine, _READS, _WRITES, 0)
            yield from _accesses(earlier, theirs, mine, _WRITES, _WRITES, 0)
    for earlier in state.reading:
        if steps[earlier].queue != step.queue:
            read_first = architecture_bytes(platform, ADDRESSES) | architecture_bytes(platform, FLAGS)
            yield from _accesses(earlier, steps[earlier].footprint, mine, _WRITES, _READS, read_first)


def _accesses(
    earlier: int, theirs: NativeFootprint, mine: NativeFootprint, access: str, earlier_access: str, without: int
) -> Iterator[_Conflict]:
    later = mine.reads if access == _READS else mine.writes
    before = theirs.reads if earlier_access == _READS else theirs.writes
    if both := later & before & ~without:
        yield earlier, access, earlier_access, both


def _interlocked(platform: Platform, step: _Step, is_same: bool) -> int:
    """Returns the bytes that an instruction may read without waiting for a pipe, or for its own pipe: hardware waits.

    These are flags; accumulators and addresses in one pipe; addresses of messages. So compilers use them.
    """
    found = architecture_bytes(platform, FLAGS)
    if is_same:
        found |= architecture_bytes(platform, ACCUMULATORS)
    if is_same or step.queue is not None:
        found |= architecture_bytes(platform, ADDRESSES)
    return found


def _accumulates(earlier: _Step, later: _Step) -> bool:
    """Returns whether a matrix product adds to the result of another one, which ends first."""
    registers = later.footprint.accumulates
    return bool(registers) and earlier.footprint.writes == later.footprint.writes == registers
