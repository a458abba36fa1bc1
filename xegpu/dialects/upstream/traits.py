"""Facts about operations of any dialect that passes rely on: one trait and three interfaces that xDSL lacks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from xdsl.ir import Operation, SSAValue
from xdsl.traits import OpTrait


class Elementwise(OpTrait):
    """Each element of the results is computed from the elements of the operands at the same position.

    A scalar operand beside vectors counts for every position. This is MLIR's trait of the same name; the three others
    of its `ElementwiseMappable` (`Scalarizable`, `Vectorizable`, `Tensorizable`) hold for the same ops and are not
    asked for. See https://mlir.llvm.org/docs/Traits/#elementwise
    """


def add_elementwise(operations: Iterable[type[Operation]], *, but: type[Operation] | None = None) -> None:
    """Adds `Elementwise` to op classes, xDSL's own ones included, as MLIR has it in the base class of their dialect."""
    for operation in operations:
        if operation is not but:
            operation.traits.add_trait(Elementwise())


class TransposeInterface(Operation, ABC):
    """An operation whose result holds the elements of a vector with the dimensions in another order."""

    @property
    @abstractmethod
    def permuted_dims(self) -> tuple[int, ...]:
        """The dimension of the operand that each dimension of the result comes from."""


class BroadcastInterface(Operation, ABC):
    """An operation whose result repeats a scalar or a vector, the latter along missing or unit dimensions."""

    @property
    @abstractmethod
    def repeated(self) -> SSAValue:
        """The value that the result repeats."""


class ReductionInterface(Operation, ABC):
    """An operation that combines the elements of a vector along dimensions; the vector is its first operand."""

    KEEPS_DIMS: ClassVar[bool]
    """Reduced dimensions stay in the type of the result, with size 1."""

    @property
    @abstractmethod
    def reduced_dims(self) -> tuple[int, ...]:
        """The dimensions of the operand that are combined."""
