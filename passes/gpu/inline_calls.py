"""`gpu-inline-calls`: inlines all calls in kernels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import ReturnOp
from xdsl.dialects.scf import YieldOp
from xdsl.ir import Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from xegpu.diagnostics import CompileError, inherit_location
from xegpu.dialects.upstream.func import CallOp, FuncOp as HostFuncOp
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.scf import ExecuteRegionOp

_MOST_OPERATIONS = 20_000
"""The maximum number of operations that calls in one kernel may become: nested calls can grow exponentially."""


@dataclass(frozen=True)
class GpuInlineCallsPass(ModulePass):
    """Inlines every `func.call` in a kernel, even of `no_inline` functions: kernels of the virtual ISA have no stack.

    Raises `CompileError` for calls of recursive functions and of functions without a body.
    """

    name = "gpu-inline-calls"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            if isinstance(function, FuncOp) and function.kernel is not None:
                _inline_all(function)


@dataclass(frozen=True)
class _Call:
    """A call in a kernel, and the functions from whose bodies it was inlined."""

    op: CallOp
    chain: tuple[str, ...] = ()


def _calls(region: Region, chain: tuple[str, ...] = ()) -> Iterator[_Call]:
    return (_Call(op, chain) for op in region.walk() if isinstance(op, CallOp))


def _inline_all(kernel: FuncOp) -> None:
    pending, operations = list(_calls(kernel.body)), 0
    while pending:
        call = pending.pop()
        name = str(call.op.callee)
        callee = SymbolTable.lookup_symbol(kernel, call.op.callee)
        if name in call.chain:
            raise CompileError(call.op, f"calls {name} from within {name}: recursion is not supported in a kernel")
        if not isinstance(callee, HostFuncOp) or not callee.body.blocks:
            raise CompileError(call.op, f"calls {name}, which has no body in this module")
        body = callee.body.clone()
        operations += sum(1 for _ in body.walk())
        if operations > _MOST_OPERATIONS:
            raise CompileError(kernel, f"expands to more than {_MOST_OPERATIONS} operations after inlining")
        pending += _calls(body, (*call.chain, name))
        _inline(call.op, body)


def _inline(call: CallOp, body: Region) -> None:
    """Replaces a call by the blocks of the function; several blocks go into an `scf.execute_region`."""
    entry = body.blocks[0]
    for argument, value in zip(list(entry.args), call.arguments, strict=True):
        argument.replace_all_uses_with(value)
        entry.erase_arg(argument)
    results: list[SSAValue]
    if len(body.blocks) == 1:
        end = entry.last_op
        assert isinstance(end, ReturnOp)
        results = list(end.arguments)
        Rewriter.erase_op(end)
        Rewriter.inline_block(entry, InsertPoint.before(call))
    else:
        for end in [op for block in body.blocks if isinstance(op := block.last_op, ReturnOp)]:
            leave = YieldOp(*end.arguments)
            inherit_location(end, leave)
            Rewriter.replace_op(end, leave, [])
        region = ExecuteRegionOp(call.result_types, body)
        inherit_location(call, region)
        Rewriter.insert_op(region, InsertPoint.before(call))
        results = list(region.results)
    _replace(call, results)


def _replace(call: Operation, results: list[SSAValue]) -> None:
    for result, value in zip(call.results, results, strict=True):
        result.replace_all_uses_with(value)
    Rewriter.erase_op(call)
