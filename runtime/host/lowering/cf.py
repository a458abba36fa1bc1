"""Branches between blocks."""

from __future__ import annotations

from itertools import islice

from xdsl.dialects.cf import AssertOp, BranchOp, ConditionalBranchOp, SwitchOp
from xdsl.ir import Block, Operation, SSAValue

from runtime.host.emitter import FunctionEmitter, lowers
from runtime.llvm import constant


@lowers("cf.br")
def branch(emitter: FunctionEmitter, op: Operation) -> None:
    assert isinstance(op, BranchOp)
    emitter.code.jump(emitter.branch(op.successor, op.arguments))


def _edge(emitter: FunctionEmitter, label: str, block: Block, values: tuple[SSAValue, ...]) -> None:
    """Returns the label of an edge from a branch to a block, which stores the values for it."""
    emitter.code.label(label)
    emitter.code.jump(emitter.branch(block, values))


@lowers("cf.cond_br")
def conditional_branch(emitter: FunctionEmitter, op: Operation) -> None:
    assert isinstance(op, ConditionalBranchOp)
    code = emitter.code
    then, otherwise = code.new_label("then"), code.new_label("else")
    code.branch(emitter.one(op.cond), then, otherwise)
    _edge(emitter, then, op.then_block, tuple(op.then_arguments))
    _edge(emitter, otherwise, op.else_block, tuple(op.else_arguments))


@lowers("cf.switch")
def switch(emitter: FunctionEmitter, op: Operation) -> None:
    assert isinstance(op, SwitchOp)
    code, flag = emitter.code, emitter.one(op.flag)
    numbers = [] if op.case_values is None else list(op.case_values.get_values())
    rest = iter(op.case_operands)
    passed = [tuple(islice(rest, count)) for count in op.case_operand_segments.get_values()]
    default, labels = code.new_label("default"), [code.new_label("case") for _ in numbers]
    cases = " ".join(f"{constant(flag.type, n)}, label %{label}" for n, label in zip(numbers, labels, strict=True))
    code.line(f"switch {flag}, label %{default} [{cases}]")
    _edge(emitter, default, op.default_block, tuple(op.default_operands))
    for label, block, values in zip(labels, op.case_blocks, passed, strict=True):
        _edge(emitter, label, block, values)


@lowers("cf.assert")
def check(emitter: FunctionEmitter, op: Operation) -> None:
    assert isinstance(op, AssertOp)
    code = emitter.code
    failed = code.binary("xor", emitter.one(op.arg), constant("i1", "true"))
    emitter.fail_if(failed, op, f"failed: {op.msg.data}".replace("{", "{{").replace("}", "}}"))
