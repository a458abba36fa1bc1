"""The rules of integer facts, one per operation.

A module per dialect declares them. An operation without a rule may have any result, which is uniform where divergence
analysis says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Concatenate, ParamSpec, TypeVar

from xdsl.dialects.builtin import FixedBitwidthType, IntegerType, VectorType
from xdsl.ir import Attribute, Operation

from passes.analysis.integers.fact import IntegerFact
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.targets import Target

Facts = IntegerFact | tuple[IntegerFact, ...]
"""The fact of the only result, or those of all results."""

_WORD = 64

OperationT = TypeVar("OperationT", bound=Operation)
P = ParamSpec("P")


@dataclass(frozen=True)
class LaunchShape:
    """The work-items that run a kernel: `lanes` of them share a thread, which is 1 in subgroup mode.

    A work-group has `block_size`, or at most `group_items` if that is None. Global ids start at any number if `offset`.
    """

    lanes: int = 1
    block_size: tuple[int, int, int] | None = None
    group_items: int = 1 << 16
    offset: bool = True

    @classmethod
    def of(cls, function: FuncOp, lanes: int, target: Target) -> LaunchShape:
        """Returns what is known of all launches of a kernel."""
        return cls(lanes, function.block_size, target.platform.max_group_items)

    @property
    def fills_subgroups(self) -> bool:
        """Returns whether lanes of a subgroup are neighbours along x, and none of them is missing."""
        return self.block_size is not None and self.block_size[0] % self.lanes == 0


RULES: dict[str, Callable[..., Facts]] = {}
"""By operation: the function from the operation, and the facts of its operands, to those of its results."""
SOURCES: dict[str, Callable[..., Facts]] = {}
"""By operation: the function from the operation and the launch to the facts of its results."""


def enter(table: dict[str, Callable[..., Facts]], rules: Mapping[str, Callable[..., Facts]]) -> None:
    """Enters the rules of operations into one of the tables. Raises `ValueError` if an operation has a rule already."""
    for name, function in rules.items():
        if name in RULES or name in SOURCES:
            raise ValueError(f"{name} has a rule already")
        table[name] = function


def rule(
    *kinds: type[OperationT],
) -> Callable[[Callable[Concatenate[OperationT, P], Facts]], Callable[Concatenate[OperationT, P], Facts]]:
    """Declares a function as the rule of operations whose results depend on nothing but operands, lane by lane."""

    def register(function: Callable[Concatenate[OperationT, P], Facts]) -> Callable[Concatenate[OperationT, P], Facts]:
        enter(RULES, dict.fromkeys((kind.name for kind in kinds), function))
        return function

    return register


def source(
    *kinds: type[OperationT],
) -> Callable[[Callable[[OperationT, LaunchShape], Facts]], Callable[[OperationT, LaunchShape], Facts]]:
    """Declares a function as the rule of operations whose results depend on the launch and on nothing else."""

    def register(function: Callable[[OperationT, LaunchShape], Facts]) -> Callable[[OperationT, LaunchShape], Facts]:
        enter(SOURCES, dict.fromkeys((kind.name for kind in kinds), function))
        return function

    return register


def bits_of(type: Attribute) -> int:
    """Returns the bits of a value or of each element of a vector; those of an address for buffers and descriptors."""
    element: Attribute = type.get_element_type() if isinstance(type, VectorType) else type
    if isinstance(element, IntegerType):
        width: int = element.width.data
        return width
    return element.bitwidth if isinstance(element, FixedBitwidthType) else _WORD
