"""Imports the instructions that end blocks."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType, VectorType
from xdsl.dialects.cf import BranchOp, ConditionalBranchOp, SwitchOp
from xdsl.dialects.ub import UnreachableOp

from passes.frontends.llvm.importer.builder import wrapped
from passes.frontends.llvm.importer.function import FunctionImporter, Parts, imports
from passes.frontends.llvm.reader import Instruction, Labels
from xegpu.dialects.upstream.gpu import ReturnOp


@imports("br")
def branch(importer: FunctionImporter, instruction: Instruction) -> Parts | None:
    assert isinstance(instruction.detail, Labels)
    edges = [importer.edge(label) for label in instruction.detail.names]
    if len(edges) == 1:
        importer.builder.insert(BranchOp(edges[0][0], *edges[0][1]))
        return None
    (then, then_values), (other, other_values) = edges
    condition = importer.value(instruction.operands[0])
    importer.builder.insert(ConditionalBranchOp(condition, then, then_values, other, other_values))
    return None


@imports("switch")
def switch(importer: FunctionImporter, instruction: Instruction) -> Parts | None:
    assert isinstance(instruction.detail, Labels)
    value = importer.value(instruction.operands[0])
    importer.check(value.type)
    assert isinstance(value.type, IntegerType)
    (default, values), *edges = [importer.edge(label) for label in instruction.detail.names]
    numbers = [wrapped(case, value.type.width.data) for case in instruction.detail.cases]
    cases = DenseIntOrFPElementsAttr.from_list(VectorType(value.type, [len(numbers)]), numbers) if numbers else None
    blocks, operands = [block for block, _ in edges], [passed for _, passed in edges]
    importer.builder.insert(SwitchOp(value, default, values, cases, blocks, operands))
    return None


@imports("ret")
def leave(importer: FunctionImporter, instruction: Instruction) -> Parts | None:
    if instruction.operands:
        importer.builder.error("returns a value from a kernel")
    importer.builder.insert(ReturnOp())
    return None


@imports("unreachable")
def unreachable(importer: FunctionImporter, instruction: Instruction) -> Parts | None:
    importer.builder.insert(UnreachableOp())
    return None
