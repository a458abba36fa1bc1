"""Checks allocation of `xe` kernels: each operand reads what it would have read before allocation.

Knows nothing of liveness, webs or slots. It remembers a kernel before allocation and then follows, along all paths of
the allocated code, which bytes of which of the old values each byte of registers, flags and scratch space holds. What
allocation inserted moves these bytes (copies, spills, fills) or computes a value once more; everything else must find
its old operands where it reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from passes.xe.allocate_registers import XeAllocateRegistersPass
from xegpu.dialects.xe import (
    AluOp,
    CopyOp,
    DpasOp,
    FillOp,
    FlagType,
    GRFType,
    InstructionOp,
    KernelOp,
    MessageOp,
    SpillOp,
    UndefOp,
    edges,
)
from xegpu.dialects.xe.emit import kernel_target

FLAG_BYTES = 4
QWORD = 8

Place = tuple[str, int]
"""A byte of the register file, of the flags or of the scratch space."""
Content = frozenset[tuple[SSAValue, int]]
"""The bytes of old values that a place holds: several when values are known to be equal."""
NOTHING: Content = frozenset()


@dataclass
class State:
    """The contents of places at one point; values in `anything` are unspecified, so that every place holds them."""

    places: dict[Place, Content] = field(default_factory=dict)
    anything: frozenset[SSAValue] = frozenset()
    defined: set[SSAValue] = field(default_factory=set, compare=False)
    """All values that were defined on some path to here: no others are in `places`."""

    def copy(self) -> State:
        return State(dict(self.places), self.anything, set(self.defined))

    def holds(self, place: Place, value: SSAValue, index: int) -> bool:
        return value in self.anything or (value, index) in self.places.get(place, NOTHING)

    def forget(self, values: Sequence[SSAValue]) -> None:
        """Values get new contents: what places hold of them is out of date."""
        old = self.defined.intersection(values)
        self.defined.update(values)
        if not old:
            return
        self.anything -= old
        for place, content in self.places.items():
            for value, _ in content:
                if value in old:
                    self.places[place] = frozenset(c for c in content if c[0] not in old)
                    break

    def move(self, origin: Sequence[Place], to: Sequence[Place]) -> None:
        contents = [self.places.get(place, NOTHING) for place in origin]
        self.places.update(zip(to, contents, strict=True))

    def join(self, other: State) -> State:
        places = dict(self.places)
        for place in self.places.keys() | other.places.keys():
            mine, yours = self.places.get(place, NOTHING), other.places.get(place, NOTHING)
            if mine != yours:
                both = {c for c in mine if c in yours or c[0] in other.anything}
                places[place] = frozenset(both | {c for c in yours if c[0] in self.anything})
        return State(places, self.anything & other.anything, self.defined | other.defined)


def places_of(value: SSAValue) -> list[Place]:
    """The bytes of a placed value, none for one that is no register."""
    match value.type:
        case GRFType() as type:
            assert type.address is not None, f"{value} has no place"
            return [("grf", type.address + i) for i in range(type.size.data)]
        case FlagType() as type:
            assert type.index is not None, f"{value} has no place"
            return [("flag", type.index // 2 * FLAG_BYTES + i) for i in range(FLAG_BYTES)]
        case _:
            return []


def scratch(slot: int, size: int) -> list[Place]:
    return [("scratch", slot + i) for i in range(size)]


def allocate_and_check(module: ModuleOp, grf_count: int = 0) -> int:
    """Allocates every kernel and checks it; returns how many operands were looked at. Raises `AssertionError`."""
    kernels = [op for op in module.walk() if isinstance(op, KernelOp)]
    checkers = [Checker(kernel) for kernel in kernels]
    XeAllocateRegistersPass(grf_count).apply(Context(), module)
    return sum(checker.check() for checker in checkers)


class Checker:
    """A kernel as it was before allocation, and the same object that allocation changes."""

    def __init__(self, kernel: KernelOp):
        self.kernel = kernel
        self.before = kernel.clone()
        self.old = dict(zip(kernel.walk(), self.before.walk(), strict=True))
        blocks = zip(kernel.body.blocks, self.before.body.blocks, strict=True)
        self.arguments = {block: list(old.args) for block, old in blocks}
        self.checked = 0

    def check(self) -> int:
        """Checks the allocated kernel; returns the number of operands looked at."""
        assert self.kernel.is_allocated
        target = kernel_target(self.kernel)
        self.limit = self.kernel.facts.grf_count * target.platform.grf_bytes
        self.scratch_address = [("grf", self.limit - target.platform.grf_bytes + i) for i in range(FLAG_BYTES)]
        blocks = list(self.kernel.body.blocks)
        start = State()
        for argument, old in zip(blocks[0].args, self.arguments[blocks[0]], strict=True):
            self._define(start, argument, old)
        entry = {blocks[0]: start}
        order = {block: number for number, block in enumerate(blocks)}
        pending = {blocks[0]}
        while pending:
            block = min(pending, key=order.__getitem__)
            pending.remove(block)
            state = entry[block].copy()
            for op in block.ops:
                self._step(op, state)
            last = block.last_op
            assert last is not None
            for number, (successor, passed) in enumerate(edges(last)):
                arriving = self._arrive(last, number, successor, passed, state)
                known = entry.get(successor)
                joined = arriving if known is None else known.join(arriving)
                if joined != known:
                    entry[successor] = joined
                    pending.add(successor)
        for block in entry.keys() & set(blocks):
            state = entry[block].copy()
            for op in block.ops:
                self._check_reads(op, state)
                self._check_places(op)
                self._step(op, state)
        return self.checked

    def _step(self, op: Operation, state: State) -> None:
        """The state behind an operation."""
        old = self.old.get(op)
        if old is not None:
            state.forget(old.results)
        match op:
            case CopyOp():
                state.move(places_of(op.source), places_of(op.result))
                for meant in old.results if old is not None else ():
                    for index, place in enumerate(places_of(op.result)):
                        state.places[place] |= {(meant, index)}
            case _ if old is not None:
                if isinstance(op, UndefOp):
                    state.anything |= set(old.results)
                for result, meant in zip(op.results, old.results, strict=True):
                    self._define(state, result, meant)
            case SpillOp():
                self._clobber(state, self.scratch_address)
                places = places_of(op.source)
                self._clobber(state, scratch(op.slot.value.data, _rounded(len(places))))
                state.move(places, scratch(op.slot.value.data, len(places)))
            case FillOp():
                self._clobber(state, self.scratch_address)
                places = places_of(op.result)
                first = places[0][1]
                self._clobber(state, [("grf", first + i) for i in range(_rounded(len(places)))])
                state.move(scratch(op.slot.value.data, len(places)), places)
            case UndefOp():
                self._clobber(state, places_of(op.result))
            case _:
                again = list(self._same_computations(op, state))
                for index, result in enumerate(op.results):
                    for byte, place in enumerate(places_of(result)):
                        state.places[place] = frozenset((twin.results[index], byte) for twin in again)

    def _same_computations(self, op: Operation, state: State) -> Iterator[Operation]:
        """Old operations that compute what `op`, which allocation inserted, computes."""
        assert not isinstance(op, AluOp) or op.no_mask is not None, f"{op} was inserted, but depends on the mask"
        for old in self.old.values():
            if old.name != op.name or old.properties != op.properties or len(old.operands) != len(op.operands):
                continue
            pairs = zip(op.operands, old.operands, strict=True)
            if all(state.holds(p, meant, i) for operand, meant in pairs for i, p in enumerate(places_of(operand))):
                yield old

    def _define(self, state: State, value: SSAValue, meant: SSAValue) -> None:
        for index, place in enumerate(places_of(value)):
            state.places[place] = frozenset({(meant, index)})

    def _clobber(self, state: State, places: Iterable[Place]) -> None:
        state.places.update(dict.fromkeys(places, NOTHING))

    def _arrive(
        self, branch: Operation, number: int, block: Block, operands: Sequence[SSAValue], state: State
    ) -> State:
        """The state at the start of a block, whose arguments are names for the values that the branch passed."""
        if branch not in self.old or block not in self.arguments:
            return state.copy()
        _, meant = list(edges(self.old[branch]))[number]
        for argument, operand in zip(block.args, operands, strict=True):
            assert places_of(argument) == places_of(operand), f"{branch} passes a value in another place"
        passed: dict[SSAValue, list[SSAValue]] = {}
        for argument, operand in zip(self.arguments[block], meant, strict=True):
            passed.setdefault(operand, []).append(argument)
        arriving = state.copy()
        arriving.forget(self.arguments[block])
        arriving.anything |= {argument for value in state.anything for argument in passed.get(value, ())}
        for place, content in state.places.items():
            names = {(argument, index) for value, index in content for argument in passed.get(value, ())}
            if names:
                arriving.places[place] |= names
        return arriving

    def _check_reads(self, op: Operation, state: State) -> None:
        old = self.old.get(op)
        if old is None:
            return
        for number, (operand, meant) in enumerate(zip(_read_by(op), _read_by(old), strict=True)):
            for index, place in enumerate(places_of(operand)):
                assert state.holds(place, meant, index), f"byte {index} of operand {number} of {op} is lost"
            self.checked += 1

    def _check_places(self, op: Operation) -> None:
        """Results lie in the file, apart from each other, and apart from operands where these are read too late."""
        results = [places_of(result) for result in op.results]
        written = {place for places in results for place in places}
        assert len(written) == sum(map(len, results)), f"{op} writes results over each other"
        assert all(kind == "flag" or byte < self.limit for kind, byte in written), f"{op} leaves the file"
        if isinstance(op, DpasOp | MessageOp):
            tied = op.tied if isinstance(op, InstructionOp) else None
            for operand in op.operands:
                same = tied is not None and (operand is tied or places_of(operand) == places_of(tied))
                assert same or not written & set(places_of(operand)), f"{op} overwrites an operand"


def _read_by(op: Operation) -> list[SSAValue]:
    """Operands that an operation reads itself; what a branch passes on, those read who use the arguments."""
    passed = max((len(values) for _, values in edges(op)), default=0)
    return list(op.operands[: len(op.operands) - passed])


def _rounded(size: int) -> int:
    """Bytes that messages to scratch move."""
    return -(-size // QWORD) * QWORD
