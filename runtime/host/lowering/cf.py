"""Branches between blocks."""

from __future__ import annotations

from itertools import islice

from xdsl.dialects.cf import AssertOp, BranchOp, ConditionalBranchOp, SwitchOp

from runtime.host.emission.emitter import FunctionEmitter, lowers
from runtime.llvm import constant


@lowers(BranchOp)
def branch(emitter: FunctionEmitter, op: BranchOp) -> None:
    emitter.blocks.jump(op.successor, op.arguments)


@lowers(ConditionalBranchOp)
def conditional_branch(emitter: FunctionEmitter, op: ConditionalBranchOp) -> None:
    with emitter.code.if_(emitter.one(op.cond)):
        emitter.blocks.jump(op.then_block, op.then_arguments)
    emitter.blocks.jump(op.else_block, op.else_arguments)


@lowers(SwitchOp)
def switch(emitter: FunctionEmitter, op: SwitchOp) -> None:
    code, flag = emitter.code, emitter.one(op.flag)
    numbers = [] if op.case_values is None else list(op.case_values.get_values())
    rest = iter(op.case_operands)
    passed = [tuple(islice(rest, count)) for count in op.case_operand_segments.get_values()]
    default, cases = code.block("default"), [code.block("case") for _ in numbers]
    code.switch(flag, default, zip(numbers, cases, strict=True))
    code.begin(default)
    emitter.blocks.jump(op.default_block, op.default_operands)
    for case, block, values in zip(cases, op.case_blocks, passed, strict=True):
        code.begin(case)
        emitter.blocks.jump(block, values)


@lowers(AssertOp)
def check(emitter: FunctionEmitter, op: AssertOp) -> None:
    code = emitter.code
    failed = code.binary("xor", emitter.one(op.arg), constant("i1", "true"))
    emitter.fail_if(failed, op, f"failed: {op.msg.data}".replace("{", "{{").replace("}", "}}"))
