"""Decides into which pieces the register blocks of a kernel are split."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from xdsl.ir import Region, SSAValue
from xdsl.traits import IsTerminator

from passes.support.webs.disjoint_sets import DisjointSets
from passes.xe.allocate_registers.liveness import branch_pairs
from passes.xe.split_register_blocks.accesses import Access, reads, writes
from xegpu.dialects.xe import CopyOp, GRFType, InstructionOp, UndefOp, register_bytes
from xegpu.targets import Target

_LARGEST_PIECE = 8
"""The most registers that accesses which overlap each other make one piece of: an operand of `dpas`."""


@dataclass(frozen=True)
class Pieces:
    """A partition of `count` registers: piece i begins at register `starts[i]`."""

    starts: tuple[int, ...]
    count: int

    def ranges(self) -> Iterator[tuple[int, int]]:
        """Yields the first register of each piece, and the one behind its last."""
        return pairwise((*self.starts, self.count))

    def at(self, register: int) -> int:
        """Returns the number of the piece that a register belongs to."""
        return bisect_right(self.starts, register) - 1


@dataclass
class _Accesses:
    """The first and last registers of the parts that instructions access of values that must have the same pieces."""

    writes: set[tuple[int, int]] = field(default_factory=set)
    reads: set[tuple[int, int]] = field(default_factory=set)

    def pieces(self, count: int) -> Pieces:
        """Returns the smallest pieces of `count` registers that few accesses reach across.

        What instructions write stays together before what they read. Where overlapping accesses would make a large
        piece, some reach across pieces and need copies. Registers that nothing accesses stay together.
        """
        used = [False] * (count + 1)
        for first, last in (*self.writes, *self.reads):
            used[first : last + 1] = [True] * (last + 1 - first)
        joined = [False, *(not a and not b for a, b in pairwise(used))]
        """True for each register that belongs to the piece of the one before it."""
        joined[count] = False
        for first, last in (*sorted(self.writes), *sorted(self.reads)):
            start, end = first, last + 1
            while joined[start]:
                start -= 1
            while joined[end]:
                end += 1
            if end - start <= max(_LARGEST_PIECE, last + 1 - first):
                joined[first + 1 : last + 1] = [True] * (last - first)
        return Pieces(tuple(register for register in range(count) if not joined[register]), count)


def partition(body: Region, target: Target) -> dict[SSAValue, Pieces]:
    """Returns the pieces of each register block that has more than one."""
    grf = target.platform.grf_bytes
    groups: DisjointSets[SSAValue] = DisjointSets()
    for a, b in _tied(body):
        groups.unite(a, b)
    found: dict[SSAValue, _Accesses] = defaultdict(_Accesses)
    for op in (op for block in body.blocks for op in block.ops):
        if isinstance(op, UndefOp | CopyOp) or op.has_trait(IsTerminator):
            continue
        for access in reads(op, target):
            found[groups.find(op.operands[access.number])].reads.add(_registers(access, grf))
        for access in writes(op, target):
            found[groups.find(op.results[access.number])].writes.add(_registers(access, grf))
    pieces: dict[SSAValue, Pieces] = {}
    for root, accesses in found.items():
        members = groups.members(root)
        if all(_can_split(value, grf) for value in members):
            own = accesses.pieces(-(-register_bytes(root.type) // grf))
            if len(own.starts) > 1:
                pieces.update(dict.fromkeys(members, own))
    return pieces


def _registers(access: Access, grf: int) -> tuple[int, int]:
    """Returns the first and the last register of an access."""
    return access.offset // grf, (access.offset + access.size - 1) // grf


def _can_split(value: SSAValue, grf: int) -> bool:
    """Returns whether a value is a block of several registers; the payload of a thread stays where it is."""
    type = value.type
    return isinstance(type, GRFType) and type.size.data > grf and type.address is None


def _tied(body: Region) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Yields pairs of values that have the same size and share their registers, or should."""
    for op in (op for block in body.blocks for op in block.ops):
        if isinstance(op, InstructionOp) and op.tied is not None:
            yield op.tied, op.results[0]
        elif isinstance(op, CopyOp):
            yield op.source, op.result
        elif op.has_trait(IsTerminator):
            yield from ((argument, operand) for argument, operand, _ in branch_pairs(op))
