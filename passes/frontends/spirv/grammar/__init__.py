"""The grammar of SPIR-V: names and numbers of instructions, enumerants and extended instructions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

_TABLES = [Path(__file__).with_name(name) for name in ("table.txt", "drafts.txt")]
"""Khronos' grammar, and what extensions add that it lacks: SPV_INTEL_joint_matrix, SPV_KHR_poison_freeze."""


@dataclass(frozen=True)
class Operation:
    """An instruction. `operands` holds the kinds behind its result; `?` and `*` mean missing or repeated ones."""

    name: str
    opcode: int
    has_type: bool
    has_result: bool
    operands: tuple[str, ...]

    @property
    def ids_only(self) -> bool:
        """Says whether all operands are ids."""
        return all(kind.rstrip("?*") in ID_KINDS for kind in self.operands)


@dataclass(frozen=True)
class Enumeration:
    """An enumeration, with the kinds of the parameters that follow its values."""

    is_mask: bool
    names: dict[int, str]
    parameters: dict[int, tuple[str, ...]]

    @property
    def values(self) -> dict[str, int]:
        """Returns the numbers by their names."""
        return {name: value for value, name in self.names.items()}


@dataclass(frozen=True)
class Grammar:
    """The whole table."""

    operations: dict[int, Operation]
    enumerations: dict[str, Enumeration]
    opencl: dict[int, Operation]


ID_KINDS = frozenset({"IdRef", "IdResultType", "IdResult", "IdMemorySemantics", "IdScope"})


def _operation(number: int, name: str, kinds: tuple[str, ...]) -> Operation:
    rest = tuple(kind for kind in kinds if kind not in ("IdResultType", "IdResult"))
    return Operation(name, number, "IdResultType" in kinds, "IdResult" in kinds, rest)


@cache
def grammar() -> Grammar:
    """Returns the table, which is read on the first call."""
    operations: dict[int, Operation] = {}
    opencl: dict[int, Operation] = {}
    enumerations: dict[str, Enumeration] = {}
    section = operations
    enumeration: Enumeration | None = None
    for line in (line for table in _TABLES for line in table.read_text(encoding="utf-8").splitlines()):
        first, *words = line.split(" ")
        if first == "instructions":
            section, enumeration = operations, None
        elif first == "set":
            section, enumeration = opencl, None
        elif first in ("enum", "bits"):
            enumeration = enumerations.setdefault(words[0], Enumeration(first == "bits", {}, {}))
        elif enumeration is not None:
            # Several names may share a number; the first one is the principal.
            enumeration.names.setdefault(int(first), words[0])
            enumeration.parameters.setdefault(int(first), tuple(words[1:]))
        else:
            section.setdefault(int(first), _operation(int(first), words[0], tuple(words[1:])))
    return Grammar(operations, enumerations, opencl)


@cache
def value_of(enumeration: str, name: str) -> int:
    """Returns the number of an enumerant that is known to exist."""
    return grammar().enumerations[enumeration].values[name]


def name_of(enumeration: str, value: int) -> str:
    """Returns the name of a number, or the number if the enumeration has none."""
    return grammar().enumerations[enumeration].names.get(value, str(value))
