"""Calls of functions."""

from __future__ import annotations

from runtime.host.emission.emitter import FunctionEmitter, lowers
from xegpu.dialects.upstream.func import CallOp


@lowers(CallOp)
def call(emitter: FunctionEmitter, op: CallOp) -> None:
    callee = emitter.environment.callee(op, op.callee.root_reference.data)
    if isinstance(callee, str):
        emitter.call(op, callee, op.operands, op.results)
    else:
        passed = [part for operand in op.operands for part in emitter.parts(operand)]
        emitter.receive(op.results, emitter.call_foreign(op, callee, passed))
