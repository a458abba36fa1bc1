"""The blocks of a kernel while it is lowered."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Block, BlockArgument, SSAValue

from passes.convert_xegpu_to_xe.lowering.conversions import LaneConversions
from passes.convert_xegpu_to_xe.lowering.forms import BlockForm, block_form
from passes.convert_xegpu_to_xe.lowering.values import LoweredValues, Number
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xe import BranchOp
from xegpu.isa.model import DataType

SumKey = tuple[SSAValue | None, tuple[tuple[SSAValue, int], ...], int, DataType, bool]
"""A pointer (None: 0), indices with the bytes that each counts in, a distance in bytes, the type of the address, and
whether the sum is that of the first lane only."""


class KernelBlocks:
    """The lowered blocks, in the order in which they are opened, and the branches between them.

    Attributes:
        opened: The blocks.
        sums: The addresses that have been computed in the current block.

    """

    def __init__(
        self,
        function: FuncOp,
        values: LoweredValues,
        conversions: LaneConversions,
        legality: Callable[[SSAValue], bool | None],
    ):
        self.opened: list[Block] = []
        self.sums: dict[SumKey, Number] = {}
        self._function = function
        self._values = values
        self._conversions = conversions
        self._emit = conversions.emit
        self._legality = legality
        self._forms: dict[BlockArgument, BlockForm] = {}
        self._targets: dict[Block, Block] = {}

    def declare(self, block: Block) -> None:
        """Makes the lowered form of an MLIR block."""
        for argument in block.args:
            form = block_form(argument, self._values.lanes_of(argument), self._legality)
            if form is None:
                raise CompileError(self._function, f"a block argument of type {argument.type} is not supported")
            self._forms[argument] = form
        types = [type for argument in block.args for type in self._forms[argument].register_types(self._emit)]
        self._targets[block] = Block(arg_types=types)

    def open(self, block: Block) -> None:
        """Continues in a lowered block."""
        self.opened.append(block)
        self._emit.block = block
        self.sums.clear()

    def enter(self, block: Block) -> None:
        """Continues in the lowered form of an MLIR block, whose arguments get their values from its registers."""
        target = self._targets[block]
        self.open(target)
        registers = list(target.args)
        for argument in block.args:
            form = self._forms[argument]
            count = len(form.register_types(self._emit))
            self._values[argument] = form.from_registers(registers[:count])
            del registers[:count]

    def jump(self, block: Block, operands: Sequence[SSAValue]) -> None:
        """Ends the current block with a branch to the lowered form of an MLIR block."""
        target, registers = self.edge(block, operands)
        self._emit.add(BranchOp(target, registers))

    def target_of(self, block: Block) -> Block:
        """Returns the lowered form of an MLIR block."""
        target = self._targets.get(block)
        if target is None:
            raise CompileError(self._function, "a branch back to the entry block is not supported")
        return target

    def edge(self, block: Block, operands: Sequence[SSAValue]) -> tuple[Block, list[SSAValue]]:
        """Returns the lowered form of an MLIR block, and the registers that carry values to its arguments."""
        target = self.target_of(block)
        carriers: list[SSAValue] = []
        for argument, operand in zip(block.args, operands, strict=True):
            registers = self._forms[argument].to_registers(self._values[operand], self._conversions)
            if registers is None:
                raise CompileError(self._function, f"private memory as a block argument of type {argument.type}")
            carriers += registers
        return target, carriers

    def landing(self, block: Block, operands: Sequence[SSAValue]) -> Block:
        """Returns a block without arguments that leads to an MLIR block, for a conditional branch to go to."""
        if not operands:
            return self.target_of(block)
        current = self._emit.block
        bridge = Block()
        self.open(bridge)
        self.jump(block, operands)
        self._emit.block = current
        return bridge
