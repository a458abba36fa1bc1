"""Branches and returns."""

from __future__ import annotations

from itertools import islice

from xdsl.dialects import cf
from xdsl.dialects.llvm import BrOp
from xdsl.ir import Block, Operation, SSAValue

from passes.frontends.llvm_dialect.writing.writer import FunctionWriter, writes
from xegpu.dialects.upstream.llvm import CondBrOp, SwitchOp


@writes("llvm.br", "cf.br")
def branch(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, BrOp | cf.BranchOp)
    writer.emit(op, f"br label %{writer.edge(op, op.successor, list(op.operands))}")


@writes("llvm.cond_br", "cf.cond_br")
def conditional_branch(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, CondBrOp | cf.ConditionalBranchOp)
    then = writer.edge(op, op.then_block, list(op.then_arguments))
    other = writer.edge(op, op.else_block, list(op.else_arguments))
    writer.emit(op, f"br {writer.typed(op.cond)}, label %{then}, label %{other}")


@writes("llvm.switch")
def switch(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, SwitchOp)
    _switch(writer, op, op.value, (op.default_destination, list(op.default_operands)), op.cases)


@writes("cf.switch")
def cf_switch(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, cf.SwitchOp)
    values = [] if op.case_values is None else [int(value) for value in op.case_values.get_values()]
    rest = iter(op.case_operands)
    passed = [list(islice(rest, int(count))) for count in op.case_operand_segments.get_values()]
    cases = list(zip(values, op.case_blocks, passed, strict=True))
    _switch(writer, op, op.flag, (op.default_block, list(op.default_operands)), cases)


def _switch(
    writer: FunctionWriter,
    op: Operation,
    flag: SSAValue,
    default: tuple[Block, list[SSAValue]],
    cases: list[tuple[int, Block, list[SSAValue]]],
) -> None:
    type = writer.type(flag.type)
    texts = (f"{type} {value}, label %{writer.edge(op, block, passed)}" for value, block, passed in cases)
    writer.emit(op, f"switch {writer.typed(flag)}, label %{writer.edge(op, *default)} [ {' '.join(texts)} ]")


@writes("llvm.return", "func.return", "gpu.return")
def leave(writer: FunctionWriter, op: Operation) -> None:
    if len(op.operands) > 1:
        writer.refuse(op, "returns several values from a function of a kernel, which is not supported")
    writer.emit(op, f"ret {writer.typed(op.operands[0])}" if op.operands else "ret void")


@writes("llvm.unreachable")
def unreachable(writer: FunctionWriter, op: Operation) -> None:
    writer.emit(op, "unreachable")
