"""The shared local memory of exchanges."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, i8, i64
from xdsl.dialects.memref import AllocOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from passes.support.op_builder import OpBuilder
from passes.support.work_groups.matrix_memory import MatrixMemory
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import BarrierOp, FuncOp
from xegpu.dialects.xegpu import MemorySpace, element_bits

SLM = MemorySpace.SLM.number

_AMPLE = 4
"""Exchanges get separate memory, which saves barriers, as long as they take at most this fraction (1/n) of it."""


class ExchangeMemory:
    """Memory for the exchanges of a kernel, of which `size` bytes are free.

    If there is not enough for each exchange, all share one buffer; each then waits before it stores, until all
    subgroups have loaded the previous contents.
    """

    def __init__(self, function: FuncOp, entry: OpBuilder, size: int, access: MatrixMemory):
        """Takes `entry`, which inserts operations at the start of the kernel."""
        self._function, self._entry = function, entry
        self.access = access
        self._size = size
        self._buffers: list[AllocOp] = []
        self._barriers: dict[Operation, bool] = {}

    def pieces(self, op: Operation, size: int, element_size: int) -> int:
        """Returns the number of pieces in which `size` bytes move; each holds an equal part of every element.

        Raises `CompileError` at `op` if a piece would hold less than a byte of each element.
        """
        pieces = 1
        while pieces <= element_size and size > pieces * self._size:
            pieces *= 2
        if pieces > element_size:
            raise CompileError(
                op,
                f"moves {size} bytes between subgroups, with elements of {element_size}: "
                f"only {self._size} bytes of shared local memory are left",
            )
        return pieces

    def allocate(self, shape: Sequence[int], element: Attribute) -> SSAValue:
        """Allocates memory for the matrix of one exchange."""
        rows, columns = shape
        space = IntegerAttr(SLM, i64)
        buffer = AllocOp.get(i8, None, [rows * columns * element_bits(element) // 8], memory_space=space)
        self._entry.insert(buffer)
        self._buffers.append(buffer)
        return self.access.matrix(self._entry, buffer.memref, shape, element)

    def wait(self, builder: OpBuilder, *, always: bool) -> None:
        """Waits until memory may be written: `always`, or only if other exchanges use it, too."""
        barrier = BarrierOp()
        builder.insert(barrier)
        self._barriers[barrier] = always

    def settle(self) -> None:
        """Decides which exchanges share memory, once all are known."""
        sizes = [size for buffer in self._buffers for size in buffer.memref.type.get_shape()]
        is_shared = sum(sizes) * _AMPLE > self._size and len(sizes) > 1
        if is_shared:
            first, *others = self._buffers
            common = AllocOp.get(i8, None, [max(sizes)], memory_space=first.memref.type.memory_space)
            OpBuilder(first).insert(common)
            for buffer in (first, *others):
                buffer.memref.replace_all_uses_with(common.memref)
                Rewriter.erase_op(buffer)
        is_first = True
        for barrier in [op for op in self._function.walk() if op in self._barriers]:
            if not self._barriers[barrier] and (is_first or not is_shared):
                Rewriter.erase_op(barrier)
            is_first = False
