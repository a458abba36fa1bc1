"""Host programs: compiled by LLVM, and run."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import MemRefType, ModuleOp, UnitAttr, UnrankedMemRefType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation
from xdsl.pattern_rewriter import PatternRewriteWalker

from passes.support.normal_forms import EXPANSIONS, INDEX, ParallelLoops, SignedBounds, expand
from runtime.disk_cache import default_cache
from runtime.host import lowering
from runtime.host.data.binding import ArgumentError, bound
from runtime.host.data.callbacks import Foreign, Slots
from runtime.host.data.failures import DeviceUseError, ProgramError, UnwrittenRead
from runtime.host.data.numbers import attribute_numbers
from runtime.host.data.types import UnsupportedType, parts_of
from runtime.host.data.values import Array, Value, dtype_of, read_values, write_values
from runtime.host.emission.emitter import ALLOCATE, FAIL, FAILED, FREE, LOWERINGS, REACH, CheckedAccess, FunctionEmitter
from runtime.host.library.device import DeviceCalls
from runtime.host.library.heap import Heap, HeapError
from runtime.host.lowering.memref import needs_heap
from runtime.llvm import LOOP_LEVEL, IRFunction, IRModule, Value as Operand, machine_code, symbol_of, this_cpu
from runtime.simulator import fill_with_poison
from runtime.ze import ZeError
from xegpu.diagnostics import CompileError, Severity, diagnose
from xegpu.dialects.upstream.func import CallOp, FuncOp
from xegpu.dialects.upstream.memref import GlobalOp
from xegpu.discovery import import_modules

import_modules(lowering)  # they register how ops are compiled

_ENTRY = "host.entry"
_STACK = 512 << 20
"""Bytes of stack for a program; pages that are not touched take no memory."""

_FOREIGN = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_uint64, ctypes.c_uint64)
_FAIL = ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_int64, ctypes.c_int64)
_ALLOCATE = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_int32, ctypes.c_int64, ctypes.c_int64)
_FREE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32, ctypes.c_uint64)
_REACH = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64)

Library = Callable[[FuncOp], Callable[..., Sequence[Value]] | None]
"""Returns the Python function for a function that a program only declares; None if there is none."""


@dataclass(frozen=True)
class _Pending:
    """A function that is called and still has to be compiled."""

    symbol: str
    op: FuncOp


class HostProgram:
    """The function `entry` and all functions that it calls, as machine code.

    Raises `CompileError` for functions that cannot be compiled, before anything is executed.
    """

    def __init__(
        self,
        module: ModuleOp,
        entry: FuncOp,
        library: Library,
        device: DeviceCalls,
        write: Callable[[str], object],
        note: Callable[[str], object],
        *,
        memory_limit: int | None = None,
    ) -> None:
        self.device = device
        self.write = write
        self._note = note
        self.finds_unwritten = device.finds_unwritten
        self._sites: list[CheckedAccess] = []
        self._foreign: dict[str, Foreign] = {}
        self._globals: dict[str, Array] = {}
        self._functions: dict[str, _Pending] = {}
        self._queue: list[_Pending] = []
        self._library = library
        self._symbols = {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp | GlobalOp)}
        self._recursive = _recursive_functions(self._symbols)
        memory_limit = memory_limit or os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        self._heap = Heap(memory_limit, poisons=self.finds_unwritten)
        self._failure: BaseException | None = None
        self._code = IRModule(this_cpu())
        self.entry = entry
        self._compile()

    # Compiling: requests of functions.

    def site(self, site: CheckedAccess) -> int:
        self._sites.append(site)
        return len(self._sites) - 1

    def foreign(self, function: Foreign) -> str:
        symbol = f"foreign.{len(self._foreign)}.{function.name}"
        self._foreign[symbol] = function
        return symbol

    def callee(self, op: Operation, name: str) -> str | Foreign:
        function = self._symbols.get(name)
        if not isinstance(function, FuncOp):
            raise CompileError(op, f"calls '{name}', which is no function of the module")
        if function.body.blocks:
            return self._called(function)
        found = self._library(function)
        if found is None:
            raise CompileError(
                op, f"calls '{name}', which is declared only, and which the runtime does not have either"
            )
        return python_function(op, function, self._seeing(function, found))

    def _seeing(self, declared: FuncOp, function: Callable[..., Sequence[Value]]) -> Callable[..., Sequence[Value]]:
        """Returns a function of the library that gets, for each pointer, the bytes from there on."""
        inputs = list(declared.function_type.inputs)

        def call(*values: Value) -> Sequence[Value]:
            return function(
                *(
                    self._bytes_at(int(value)) if isinstance(type, LLVMPointerType) else value
                    for type, value in zip(inputs, values, strict=True)
                )
            )

        return call if any(isinstance(type, LLVMPointerType) for type in inputs) else function

    def _bytes_at(self, address: int) -> Array:
        address &= (1 << 64) - 1
        starts = [(array.__array_interface__["data"][0], array.nbytes) for array in self._globals.values()]
        extents = [self._heap.around(address), self.device.extent(address), *((at, at + size) for at, size in starts)]
        for extent in extents:
            if extent is not None and extent[0] <= address < extent[1]:
                size = extent[1] - address
                return np.ndarray(size, np.uint8, memoryview((ctypes.c_uint8 * size).from_address(address)))
        raise DeviceUseError(f"passes the pointer {address:#x}, which is in no memory that the program has allocated")

    def global_memory(self, op: Operation, name: str) -> Operand:
        declared = self._symbols.get(name)
        if not isinstance(declared, GlobalOp):
            raise CompileError(op, f"names '{name}', which is no global of the module")
        if name not in self._globals:
            self._globals[name] = _contents(declared, poisons=self.finds_unwritten)
            self._code.variable(f"global.{name}", "ptr")
        return Operand("ptr", symbol_of(f"global.{name}"))

    def _called(self, op: FuncOp) -> str:
        name = op.sym_name.data
        if name not in self._functions:
            self._functions[name] = _Pending(f"function.{name}", op)
            self._queue.append(self._functions[name])
        return symbol_of(self._functions[name].symbol)

    def _compile(self) -> None:
        self._code.variable("host.depth", "i64")
        symbol = self._called(self.entry)
        while self._queue:
            pending = self._queue.pop()
            self._code.function(pending.symbol, "i32", _parameters(pending.op), _builder(self, pending.op))
        self._code.export(_ENTRY, "i32", "ptr %arguments, ptr %results", lambda code: self._start(code, symbol))
        self.llvm_ir = self._code.text()
        callbacks = [
            (FAIL, _FAIL(self._on_failure)),
            (ALLOCATE, _ALLOCATE(self._on_allocation)),
            (FREE, _FREE(self._on_free)),
            (REACH, _REACH(self._on_reach)),
            *((symbol, _FOREIGN(_guarded(self, function))) for symbol, function in self._foreign.items()),
        ]
        self._callbacks = callbacks  # they must live as long as the code that calls them
        addresses = {name: _address(callback) for name, callback in callbacks}
        names = [f"global.{name}" for name in self._globals]
        self._machine = machine_code(
            self.llvm_ir, [_ENTRY, *names], this_cpu(), default_cache(), level=LOOP_LEVEL, imports=addresses
        )
        for name, array in self._globals.items():
            place = ctypes.c_uint64.from_address(self._machine.addresses[f"global.{name}"])
            place.value = array.__array_interface__["data"][0]

    def _start(self, code: IRFunction, symbol: str) -> None:
        """Emits the function that Python calls: it takes arguments out of slots."""
        types = [part for argument in self.entry.function_type.inputs for part in parts_of(argument)]
        values = Slots(types).load(code, Operand("ptr", "%arguments"))
        code.give(code.call(symbol, "i32", *values, Operand("ptr", "%results")))

    # Running: calls from compiled code.

    def warn(self, op: Operation, text: str) -> None:
        self._note(str(diagnose(Severity.WARNING, op, text)))

    def _on_failure(self, site: int, first: int, second: int) -> None:
        place = self._sites[site]
        self._fail(ProgramError(diagnose(Severity.ERROR, place.op, place.text.format(first, second))))

    def _on_allocation(self, site: int, size: int, alignment: int) -> int:
        try:
            return self._heap.allocate(size, alignment)
        except HeapError as error:
            self._fail(ProgramError(diagnose(Severity.ERROR, self._sites[site].op, str(error))))
            return 0

    def _on_free(self, site: int, address: int) -> int:
        try:
            self._heap.free(address)
        except HeapError as error:
            self._fail(ProgramError(diagnose(Severity.ERROR, self._sites[site].op, str(error))))
            return int(FAILED.name)
        return 0

    def _on_reach(self, site: int, allocated: int, first: int, end: int) -> int:
        """Fails if bytes leave the memory that was allocated at an address; other memory has no known bounds."""
        extent = self._heap.extent(allocated) or self.device.extent(allocated)
        if extent is None or (extent[0] <= first and end <= extent[1]):
            return 0
        size = extent[1] - extent[0]
        text = f"reaches bytes {first - extent[0]} to {end - extent[0]} of memory of {size} bytes"
        self._fail(ProgramError(diagnose(Severity.ERROR, self._sites[site].op, text)))
        return int(FAILED.name)

    def _fail(self, error: BaseException) -> None:
        """Records a failure; the first one counts."""
        self._failure = self._failure or error

    def fail(self, error: BaseException) -> int:
        """Ends the program with an error that a function outside of it raised."""
        self._fail(error)
        return int(FAILED.name)

    @property
    def parameters(self) -> list[tuple[str, Attribute]]:
        """Names and types of the parameters of the entry function."""
        arguments = self.entry.body.blocks[0].args
        return [(argument.name_hint or f"#{argument.index}", argument.type) for argument in arguments]

    def _bound(self, values: Sequence[object]) -> list[Value]:
        parameters = self.parameters
        if len(values) != len(parameters):
            names = ", ".join(f"{name}: {type}" for name, type in parameters) or "none"
            called = f"function '{self.entry.sym_name.data}'"
            raise ArgumentError(f"{called} takes {len(parameters)} arguments ({names}), {len(values)} given")
        return [bound(name, type, value) for (name, type), value in zip(parameters, values, strict=True)]

    def run(self, *arguments: Value) -> list[Value]:
        """Calls the entry function with numbers, and arrays that are used in place; returns its results.

        Raises `ArgumentError` for values that do not fit, `ProgramError` for what goes wrong, and whatever functions
        outside of compiled code raise.
        """
        passed_values = self._bound(arguments)
        inputs, outputs = (list(types) for types in (self.entry.function_type.inputs, self.entry.function_type.outputs))
        given, got = (Slots([part for type in types for part in parts_of(type)]) for types in (inputs, outputs))
        passed, returned = (np.zeros(slots.size + 64, np.uint8) for slots in (given, got))
        start, end = (-(-array.__array_interface__["data"][0] // 64) * 64 for array in (passed, returned))
        write_values(inputs, passed_values, start)
        entry = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_uint64, ctypes.c_uint64)(self._machine.addresses[_ENTRY])
        self._failure = None
        _with_stack(lambda: entry(start, end))
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        return [np.array(value) if isinstance(value, np.ndarray) else value for value in read_values(outputs, end)]


def _address(callback: Callable[..., object]) -> int:
    address = ctypes.cast(callback, ctypes.c_void_p).value  # type: ignore[arg-type]  # a function pointer
    assert address is not None
    return address


def _guarded(program: HostProgram, function: Foreign) -> Callable[[int, int], int]:
    def call(arguments: int, results: int) -> int:
        try:
            function.run(arguments, results)
        except (DeviceUseError, UnwrittenRead, ZeError) as error:
            failure = ProgramError(diagnose(Severity.ERROR, function.op, str(error)))
            failure.__cause__ = error
            return program.fail(failure)
        except BaseException as error:  # of whatever kind: it goes on where the program was called
            return program.fail(error)
        return 0

    return call


def _with_stack(work: Callable[[], object]) -> None:
    """Calls `work` on a thread with a large stack, while this one waits and can be interrupted."""
    previous = threading.stack_size(_STACK)
    try:
        thread = threading.Thread(target=work, name="host program", daemon=True)
        thread.start()
    finally:
        threading.stack_size(previous)
    thread.join()


def _parameters(op: FuncOp) -> str:
    parts = [part for argument in op.body.blocks[0].args for part in _parts(op, argument.type)]
    return ", ".join([*(f"{part} %a{number}" for number, part in enumerate(parts)), "ptr noalias %results"])


def _parts(op: Operation, type: Attribute) -> tuple[str, ...]:
    try:
        return parts_of(type)
    except UnsupportedType as error:
        raise CompileError(op, f"cannot be compiled: {error}") from None


def _builder(program: HostProgram, op: FuncOp) -> Callable[[IRFunction], None]:
    is_recursive = op.sym_name.data in program._recursive
    expand(op.body, INDEX)
    expand(op.body, EXPANSIONS, stays=LOWERINGS.__contains__)
    for pattern in (ParallelLoops(), SignedBounds()):
        PatternRewriteWalker(pattern, walk_regions_first=True, apply_recursively=False).rewrite_region(op.body)

    def build(code: IRFunction) -> None:
        for result in op.function_type.outputs:
            _parts(op, result)
            if isinstance(result, UnrankedMemRefType):
                raise CompileError(op, f"returns {result}, which is not supported in host code")
        finds_unwritten = program.finds_unwritten
        heap = any(needs_heap(inner, is_recursive=is_recursive, finds_unwritten=finds_unwritten) for inner in op.walk())
        results = Operand("ptr", "%results")
        emitter = FunctionEmitter(program, code, results, is_recursive=is_recursive, needs_heap=heap)
        names = iter(range(code_parts(op)))
        for argument in op.body.blocks[0].args:
            emitter.give(argument, *(Operand(part, f"%a{next(names)}") for part in parts_of(argument.type)))
        emitter.enter(op)
        emitter.region(op.body, lambda last: emitter.return_values(last, last.operands))
        emitter.finish()

    return build


def code_parts(op: FuncOp) -> int:
    return sum(len(parts_of(argument.type)) for argument in op.body.blocks[0].args)


def python_function(call: Operation, op: FuncOp, function: Callable[..., Sequence[Value]]) -> Foreign:
    """Returns a Python function of values as one that compiled code can call."""
    inputs, outputs = list(op.function_type.inputs), list(op.function_type.outputs)
    try:
        for type in (*inputs, *outputs):
            parts_of(type)
    except UnsupportedType as error:
        raise CompileError(call, f"cannot be compiled: {error}") from None

    def run(arguments: int, results: int) -> None:
        write_values(outputs, function(*read_values(inputs, arguments)), results)

    return Foreign(op.sym_name.data, (inputs, outputs), run, call)


def _recursive_functions(symbols: dict[str, FuncOp | GlobalOp]) -> frozenset[str]:
    """Returns the functions that may be called while they run."""
    calls = {
        name: {call.callee.root_reference.data for call in op.walk() if isinstance(call, CallOp)}
        for name, op in symbols.items()
        if isinstance(op, FuncOp)
    }

    def reached(name: str) -> set[str]:
        found: set[str] = set()
        pending = [*calls[name]]
        while pending:
            callee = pending.pop()
            if callee in calls and callee not in found:
                found.add(callee)
                pending += calls[callee]
        return found

    return frozenset(name for name in calls if name in reached(name))


def _contents(op: GlobalOp, *, poisons: bool) -> Array:
    """Returns the memory of a global with its initial value; uninitialized memory is zero, or poison."""
    type = op.type
    assert isinstance(type, MemRefType)
    try:
        parts_of(type)
    except UnsupportedType as error:
        raise CompileError(op, f"cannot be compiled: {error}") from None
    if op.initial_value is None:
        raise CompileError(op, "is declared only: it has no memory in this module")
    memory = _aligned(type)
    if not isinstance(op.initial_value, UnitAttr):
        numbers = attribute_numbers(op.initial_value)
        assert numbers is not None
        memory.reshape(-1)[:] = np.array(numbers).astype(memory.dtype)
    elif poisons:
        fill_with_poison(memory.reshape(-1).view(np.uint8))
    return memory


def _aligned(type: MemRefType[Attribute]) -> Array:
    dtype = dtype_of(type.element_type)
    count = int(np.prod(type.get_shape(), dtype=np.int64))
    raw = np.zeros(count * dtype.itemsize + 64, np.uint8)
    start = -raw.__array_interface__["data"][0] % 64
    return raw[start : start + count * dtype.itemsize].view(dtype).reshape(type.get_shape())


def entries(module: ModuleOp) -> Iterator[FuncOp]:
    """Returns the functions of a module that can be started: those with a body."""
    return (op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks)
