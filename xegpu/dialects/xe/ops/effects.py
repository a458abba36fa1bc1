"""The effects of instructions on memory, found once for each kind of instruction: none of them has regions."""

from __future__ import annotations

from collections.abc import Set

from xdsl.ir import Operation
from xdsl.traits import MemoryEffectKind, get_effects

_READS = frozenset({MemoryEffectKind.READ})
_EFFECTS: dict[type[Operation], Set[MemoryEffectKind] | None] = {}


def effects_of(op: Operation) -> Set[MemoryEffectKind] | None:
    """Returns what an instruction does to memory; None if that is not known."""
    kind = type(op)
    if kind not in _EFFECTS:
        effects = get_effects(op)
        _EFFECTS[kind] = None if effects is None else frozenset(effect.kind for effect in effects)
    return _EFFECTS[kind]


def only_reads(op: Operation) -> bool:
    """Returns whether an instruction reads memory, and does nothing else to it."""
    return effects_of(op) == _READS
