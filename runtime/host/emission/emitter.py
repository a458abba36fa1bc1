"""Functions of a host program as LLVM IR.

Every function returns whether it failed (an i32, 0 if not), and writes its results to memory that the caller provides.
Callers of a function that failed return as well, so that compiled code unwinds in order. The program holds the texts of
failures (`CheckedAccess`); compiled code names only their number and up to two values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn, Protocol

from xdsl.dialects import affine, func, scf
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from passes.support.op_table import OpTable
from runtime.host.data.callbacks import Foreign, Slots
from runtime.host.data.types import UnsupportedType, parts_of
from runtime.host.library.device import DeviceCalls
from runtime.llvm import IRBlock, IRFunction, IRModule, Value, constant, integer
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream import memref
from xegpu.dialects.upstream.scf import ReduceOp
from xegpu.graphs import reverse_post_order

FAILED = constant("i32", 1)
_DONE = constant("i32", 0)
_DEPTH = Value("ptr", '@"host.depth"')
MAX_CALLS = 20_000
"""Limit for the depth of recursive calls."""
FAIL, ALLOCATE, FREE, REACH = "host.fail", "host.allocate", "host.free", "host.reach"
"""Functions of the program that compiled code calls: with the number of the site, and values, sizes or addresses."""

Parts = tuple[Value, ...]


@dataclass(frozen=True)
class CheckedAccess:
    """A check of an op that may fail at run time; `text` may name the two values as `{0}` and `{1}`."""

    op: Operation
    text: str


class Environment(Protocol):
    """The interface of functions under construction to the program around them."""

    @property
    def device(self) -> DeviceCalls:
        """The functions of the GPU."""

    @property
    def write(self) -> Callable[[str], object]:
        """Prints text of the program."""

    @property
    def finds_unwritten(self) -> bool:
        """Returns whether reads of memory that nothing has written end the program."""

    def warn(self, op: Operation, text: str) -> None:
        """Reports something harmless while the program runs; the text continues after the name of an operation."""

    def site(self, site: CheckedAccess) -> int:
        """Returns the number of a check."""

    def foreign(self, function: Foreign) -> str:
        """Returns the symbol of a function outside of compiled code."""

    def callee(self, op: Operation, name: str) -> str | Foreign:
        """Returns the callee of `op`: the symbol of a compiled function, or one outside of compiled code."""

    def global_memory(self, op: Operation, name: str) -> Value:
        """Returns the memory that holds the address of a global that `op` refers to."""


class FunctionEmitter:
    """A function under construction; `values` holds the parts of every SSA value so far."""

    def __init__(
        self, environment: Environment, code: IRFunction, results: Value, *, is_recursive: bool, needs_heap: bool
    ):
        """`is_recursive`: it may call itself, also through others; `needs_heap`: it has memory on the heap."""
        self.environment = environment
        self.code = code
        self.is_recursive = is_recursive
        self.values: dict[SSAValue, Parts] = {}
        self._results = results
        self.blocks = Blocks(self)
        self._failed = code.block("failed")
        self._failures: list[tuple[IRBlock, int, tuple[Value, ...]]] = []
        self._variables = 0
        self.known: frozenset[Operation] = frozenset()
        """Accesses that are known to be in bounds."""
        self.loops: list[tuple[Value, ...]] = []
        """The induction variables of the structured operations that are being compiled, outer operations first."""
        self.arena: Value | None = None
        """Holds the last heap block of this call; each block begins with the address of the one before."""
        if needs_heap:
            self.arena = self.variable("ptr")
            code.store(Value("ptr", "null"), self.arena, 8)

    # Values.

    def parts(self, value: SSAValue) -> Parts:
        return self.values[value]

    def one(self, value: SSAValue) -> Value:
        """Returns the only part of a value."""
        (part,) = self.values[value]
        return part

    def give(self, result: SSAValue, *parts: Value) -> None:
        """Binds a result to its parts."""
        self.values[result] = parts

    def types(self, op: Operation, type: Attribute) -> tuple[str, ...]:
        """Returns the LLVM types of the parts of a value. Raises `CompileError`."""
        try:
            return parts_of(type)
        except UnsupportedType as error:
            self.refuse(op, f"cannot be compiled: {error}")

    def refuse(self, op: Operation, reason: str) -> NoReturn:
        """Raises `CompileError` at an op that cannot be compiled."""
        raise CompileError(op, reason)

    # Failures.

    def fail_if(self, condition: Value, op: Operation, text: str, *values: Value) -> None:
        """Ends the program with `text` if a condition holds; it may name two i64 values, `{0}` and `{1}`."""
        if condition.name == "false":
            return
        failure = self.code.block("fail")
        self._failures.append((failure, self.site(op, text), values))
        self.code.jump_if(condition, failure, rare=True)

    def site(self, op: Operation, text: str) -> int:
        """Returns the number of an operation that may end the program."""
        return self.environment.site(CheckedAccess(op, text))

    @contextmanager
    def knowing(self, accesses: Iterable[Operation]) -> Iterator[None]:
        """Within this context, accesses are known to be in bounds."""
        before, self.known = self.known, self.known | frozenset(accesses)
        yield
        self.known = before

    def stop_if(self, condition: Value) -> None:
        """Returns from the function if a condition says that the program has failed."""
        self.code.jump_if(condition, self._failed, rare=True)

    def fail_with(self, status: Value) -> None:
        """Returns from the function if a call failed."""
        self.stop_if(self.code.compare("icmp ne", status, _DONE))

    def finish(self) -> None:
        """Adds the exits of the function that failures take."""
        code = self.code
        for failure, site, values in self._failures:
            code.begin(failure)
            first, second = (*values, integer(0), integer(0))[:2]
            code.run(code.module.intrinsic(FAIL, "void", ["i32", "i64", "i64"]), constant("i32", site), first, second)
            code.jump(self._failed)
        code.begin(self._failed)
        self.leave(FAILED)

    def enter(self, op: Operation) -> None:
        """Adds the prologue of the function."""
        if self.is_recursive:
            too_deep = self.code.compare("icmp ugt", self._count(1), integer(MAX_CALLS))
            self.fail_if(too_deep, op, f"calls itself more than {MAX_CALLS} times")

    def leave(self, status: Value = _DONE) -> None:
        """Returns from the function, after freeing the memory that lives as long as the call."""
        if self.arena is not None:
            self.code.run(free_all(self.code.module), self.code.load("ptr", self.arena, 8))
        if self.is_recursive:
            self._count(-1)
        self.code.give(status)

    def _count(self, step: int) -> Value:
        """Changes the depth of recursive calls, and returns it."""
        depth = self.code.binary("add", self.code.load("i64", _DEPTH, 8), integer(step))
        self.code.store(depth, _DEPTH, 8)
        return depth

    # Memory of the function.

    def variable(self, type: str, alignment: int = 8) -> Value:
        """Returns memory for a value that lives as long as the call."""
        self._variables += 1
        return self.code.variable(type, f"m{self._variables}", alignment)

    def variables(self, op: Operation, type: Attribute) -> Variables:
        """Returns memory for a value of an MLIR type."""
        types = self.types(op, type)
        return Variables(self, type, tuple(self.variable(part, 64 if part.startswith("<") else 8) for part in types))

    # Calls.

    def call(self, op: Operation, symbol: str, operands: Iterable[SSAValue], results: Sequence[SSAValue]) -> None:
        """Calls a compiled function."""
        slots = Slots([part for result in results for part in self.types(op, result.type)])
        memory = self.variable(f"[{max(slots.size, 8)} x i8]", 64)
        passed = [part for operand in operands for part in self.parts(operand)]
        self.fail_with(self.code.call(symbol, "i32", *passed, memory))
        self.receive(results, slots.load(self.code, memory))

    def call_foreign(self, op: Operation, function: Foreign, passed: Sequence[Value]) -> list[Value]:
        """Calls a function outside of compiled code; returns the parts of its results."""
        code = self.code
        given, got = (Slots([part for type in types for part in self.types(op, type)]) for types in function.signature)
        arguments, results = (self.variable(f"[{max(slots.size, 8)} x i8]", 64) for slots in (given, got))
        given.store(code, arguments, passed)
        name = code.module.intrinsic(self.environment.foreign(function), "i32", ["ptr", "ptr"])
        self.fail_with(code.call(name, "i32", arguments, results))
        return got.load(code, results)

    def receive(self, results: Sequence[SSAValue], values: Iterable[Value]) -> None:
        """Binds results to parts."""
        parts = iter(values)
        for result in results:
            self.values[result] = tuple(next(parts) for _ in parts_of(result.type))

    def return_values(self, op: Operation, values: Sequence[SSAValue]) -> None:
        """Returns from the function with values."""
        slots = Slots([part for value in values for part in self.types(op, value.type)])
        slots.store(self.code, self._results, [part for value in values for part in self.parts(value)])
        self.leave()

    # Control flow.

    def pass_values(self, variables: Sequence[Variables], values: Sequence[SSAValue]) -> None:
        """Sets variables in parallel: all values are known before the first is set."""
        for variable, value in zip(variables, values, strict=True):
            variable.set(self.parts(value))

    def region(self, region: Region, leave: Callable[[Operation], None]) -> None:
        """Emits the code of a region; `leave` emits that of terminators that leave it for what follows the region.

        The caller has bound the arguments of the first block.
        """
        code, after, is_left = self.code, self.code.block("after"), False
        blocks = reverse_post_order(region.blocks[0], _successors)
        for block in blocks:
            if block is not blocks[0]:
                self.blocks.begin(block)
            self.block(block, leave)
            if len(blocks) > 1 and not code.has_ended:
                code.jump(after)
                is_left = True
        if is_left:
            code.begin(after)

    def block(self, block: Block, leave: Callable[[Operation], None]) -> None:
        """Emits the code of the operations of a block."""
        for op in block.ops:
            lowering = LOWERINGS.get(op)
            if lowering is not None:
                try:
                    lowering(self, op)
                except UnsupportedType as error:
                    self.refuse(op, f"cannot be compiled: {error}")
            elif isinstance(op, _LEAVING) and op.next_op is None:
                leave(op)
            else:
                for value in (*op.operands, *op.results):
                    self.types(op, value.type)  # tensors have a reason of their own
                self.refuse(op, "is not supported in host code")


def free_all(module: IRModule) -> str:
    """Returns the function that frees the heap blocks of a call, from the last to the first."""

    def build(code: IRFunction) -> None:
        with code.loop(Value("ptr", "%last")) as blocks:
            (current,) = blocks.values
            code.jump_if(code.compare("icmp eq", current, Value("ptr", "null")), blocks.after)
            before = code.load("ptr", current, 8)
            code.call(module.intrinsic(FREE, "i32", ["i32", "ptr"]), "i32", constant("i32", 0), current)
            blocks.repeat(before)
        code.give()

    return module.function("host.free_all", "void", "ptr %last", build, inline=False)


def _successors(block: Block) -> Sequence[Block]:
    return block.last_op.successors if block.last_op is not None else ()


class Blocks:
    """The blocks of a function's regions: their code, and memory for their arguments."""

    def __init__(self, emitter: FunctionEmitter):
        self._emitter = emitter
        self._known: dict[Block, tuple[IRBlock, tuple[Variables, ...]]] = {}

    def _find(self, block: Block) -> tuple[IRBlock, tuple[Variables, ...]]:
        if block not in self._known:
            code, owner = self._emitter.code.block("bb"), block.parent_op()
            assert owner is not None
            self._known[block] = code, tuple(self._emitter.variables(owner, argument.type) for argument in block.args)
        return self._known[block]

    def jump(self, block: Block, values: Sequence[SSAValue]) -> None:
        """Stores the values for the arguments of a block, and goes there."""
        code, arguments = self._find(block)
        self._emitter.pass_values(arguments, values)
        self._emitter.code.jump(code)

    def begin(self, block: Block) -> None:
        """Continues in a block that others go to."""
        code, arguments = self._find(block)
        self._emitter.code.begin(code)
        for argument, variable in zip(block.args, arguments, strict=True):
            self._emitter.values[argument] = variable.get()


class Variables:
    """Memory for a value that changes; LLVM turns it into SSA values."""

    def __init__(self, emitter: FunctionEmitter, type: Attribute, places: tuple[Value, ...]):
        self._emitter = emitter
        self._types = parts_of(type)
        self._places = places

    def set(self, parts: Parts) -> None:
        for part, place in zip(parts, self._places, strict=True):
            self._emitter.code.store(part, place, 64 if part.type.startswith("<") else 8)

    def get(self) -> Parts:
        code = self._emitter.code
        return tuple(
            code.load(type, place, 64 if type.startswith("<") else 8)
            for type, place in zip(self._types, self._places, strict=True)
        )


LOWERINGS = OpTable[FunctionEmitter, None]()
"""The functions that compile operations. The modules of `runtime.host.lowering` fill this table."""
lowers = LOWERINGS.register

_LEAVING = (
    affine.YieldOp,
    func.ReturnOp,
    linalg.YieldOp,
    memref.AllocaScopeReturnOp,
    memref.AtomicYieldOp,
    scf.ConditionOp,
    ReduceOp,
    scf.ReduceReturnOp,
    scf.YieldOp,
)
"""Terminators whose meaning depends on the operation around them."""
