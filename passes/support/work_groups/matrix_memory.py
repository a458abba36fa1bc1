"""Matrices in shared local memory, in the terms of a dialect."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from passes.support.op_builder import Index, OpBuilder


class MatrixMemory(ABC):
    """Creates and accesses matrices in shared local memory."""

    @abstractmethod
    def matrix(self, entry: OpBuilder, buffer: SSAValue, shape: Sequence[int], element: Attribute) -> SSAValue:
        """Returns the buffer, a memref of bytes, as a row-major matrix."""

    @abstractmethod
    def store(self, entry: OpBuilder, part: SSAValue, matrix: SSAValue, offsets: Sequence[Index]) -> Operation:
        """Returns an operation that stores a part at offsets; `entry` computes its operands."""

    @abstractmethod
    def load(self, entry: OpBuilder, matrix: SSAValue, offsets: Sequence[Index], part: VectorType) -> Operation:
        """Returns an operation that loads a part at offsets; `entry` computes its operands."""
