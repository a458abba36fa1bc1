"""Calls of functions."""

from __future__ import annotations

from xdsl.dialects.func import CallOp
from xdsl.ir import Operation

from runtime.host.emitter import FunctionEmitter, lowers


@lowers("func.call")
def call(emitter: FunctionEmitter, op: Operation) -> None:
    assert isinstance(op, CallOp)
    callee = emitter.environment.callee(op, op.callee.root_reference.data)
    if isinstance(callee, str):
        emitter.call(op, callee, op.operands, op.results)
    else:
        passed = [part for operand in op.operands for part in emitter.parts(operand)]
        emitter.receive(op.results, emitter.call_foreign(op, callee, passed))
