"""Allocations, and accesses to elements. Every access is checked against the sizes of its memref."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.bufferization import CloneOp
from xdsl.dialects.builtin import IntegerAttr, MemRefType
from xdsl.dialects.memref import AllocaOp, AllocOp, DeallocOp, GetGlobalOp
from xdsl.ir import Operation, SSAValue

from runtime.host.data.numbers import computed, held
from runtime.host.data.types import float_type, memory_type
from runtime.host.emission.emitter import ALLOCATE, FREE, FunctionEmitter, lowers
from runtime.host.emission.memref_descriptors import (
    AnyMemRef,
    MemRefDescriptor,
    contiguous_strides,
    descriptor,
    element_address,
    element_of_memref,
    load_element,
    memref_of,
    number_of,
    product,
    static_layout,
    store_element,
)
from runtime.host.lowering.scf import counted
from runtime.llvm import Value, constant, integer, mangled
from xegpu.dialects.upstream.memref import (
    AtomicRMWOp,
    AtomicYieldOp,
    CopyOp,
    GenericAtomicRMWOp,
    LoadOp,
    PrefetchOp,
    ReallocOp,
    StoreOp,
)

ALIGNMENT = 64
"""Least alignment of memory in bytes: a cache line, the longest vector."""

_STACK_BYTES = 64 << 10
"""Buffers of more bytes are not allocated on the stack."""


def buffer(
    emitter: FunctionEmitter, op: Operation, type: AnyMemRef, sizes: Sequence[SSAValue]
) -> tuple[MemRefDescriptor, Value]:
    """Returns a row-major buffer without memory yet, and the size in bytes that it needs."""
    code, given = emitter.code, iter(sizes)
    static, strides, offset = static_layout(emitter, op, type)
    extents = tuple(emitter.one(next(given)) if size is None else integer(size) for size in static)
    for dimension, extent in enumerate(extents):
        if number_of(extent) is None:
            negative = code.compare("icmp slt", extent, integer(0))
            emitter.fail_if(negative, op, f"has the size {{0}} in dimension {dimension}", extent)
    natural = contiguous_strides(code, extents)
    if any(a is not None and a != number_of(b) for a, b in zip(strides, natural, strict=True)) or offset not in (
        0,
        None,
    ):
        emitter.refuse(op, f"of {type}, which is not row-major, is not supported in host code")
    element = memory_type(type.element_type)
    size, overflows = integer(element.size), constant("i1", "false")
    for extent in extents:
        if number_of(size) is not None and number_of(extent) is not None:
            size = product(code, size, extent)
            continue
        both = code.call(mangled("smul.with.overflow", "i64"), "{ i64, i1 }", size, extent)
        size = code.value("i64", f"extractvalue {both}, 0")
        overflows = code.binary("or", overflows, code.value("i1", f"extractvalue {both}, 1"))
    if (number_of(size) or 0) >= 1 << 63:
        emitter.refuse(op, f"of {type} has more bytes than there are addresses")
    emitter.fail_if(overflows, op, "has more bytes than there are addresses")
    nothing = Value("ptr", "null")
    return MemRefDescriptor(nothing, nothing, integer(0), extents, natural), size


def allocated(emitter: FunctionEmitter, op: Operation, size: Value, alignment: int) -> Value:
    """Returns fresh memory; the program ends if there is none."""
    code = emitter.code
    name = code.module.intrinsic(ALLOCATE, "noalias ptr", ["i32", "i64", "i64"])
    arguments = constant("i32", emitter.site(op, "")), size, integer(alignment)
    pointer = code.value("ptr", f"call noalias ptr {name}({', '.join(map(str, arguments))})")
    emitter.stop_if(code.compare("icmp eq", pointer, Value("ptr", "null")))
    return pointer


def _alignment(op: AllocOp | AllocaOp | ReallocOp) -> int:
    return max(ALIGNMENT, op.alignment.value.data if isinstance(op.alignment, IntegerAttr) else 0)


@lowers(AllocOp)
def alloc(emitter: FunctionEmitter, op: AllocOp) -> None:
    form, size = buffer(emitter, op, memref_of(op.memref.type), op.dynamic_sizes)
    memory = allocated(emitter, op, size, _alignment(op))
    emitter.give(op.memref, memory, memory, *form.parts[2:])


@lowers(ReallocOp)
def realloc(emitter: FunctionEmitter, op: ReallocOp) -> None:
    """Moves the elements to fresh memory, as many as fit, and frees the old memory."""
    code, type = emitter.code, memref_of(op.result.type)
    old = descriptor(emitter, op, op.source)
    given = () if op.dynamic_result_size is None else (op.dynamic_result_size,)
    form, size = buffer(emitter, op, type, given)
    memory = allocated(emitter, op, size, _alignment(op))
    kept = code.call(mangled("umin", "i64"), "i64", old.sizes[0], form.sizes[0])
    element = memory_type(type.element_type)
    start = code.value("ptr", f"getelementptr {element.llvm}, {old.aligned}, {old.offset}")
    code.copy(memory, start, product(code, kept, integer(element.size)))
    _free(emitter, op, old.allocated)
    emitter.give(op.result, memory, memory, *form.parts[2:])


@lowers(CloneOp)
def clone(emitter: FunctionEmitter, op: CloneOp) -> None:
    if not isinstance(op.input.type, MemRefType):
        emitter.refuse(op, "of an unranked memref is not supported in host code")
    source, type = descriptor(emitter, op, op.input), memref_of(op.output.type)
    form, size = copied_form(emitter, op, type, source)
    memory = allocated(emitter, op, size, ALIGNMENT)
    emitter.give(op.output, memory, memory, *form.parts[2:])
    copy_elements(emitter, op, op.input, op.output)


def copied_form(
    emitter: FunctionEmitter, op: Operation, type: AnyMemRef, source: MemRefDescriptor
) -> tuple[MemRefDescriptor, Value]:
    """Returns a row-major buffer of the shape of another one, without memory yet, and its size in bytes."""
    code, size = emitter.code, integer(memory_type(type.element_type).size)
    for extent in source.sizes:
        size = product(code, size, extent)
    nothing = Value("ptr", "null")
    return MemRefDescriptor(nothing, nothing, integer(0), source.sizes, contiguous_strides(code, source.sizes)), size


def _free(emitter: FunctionEmitter, op: Operation, pointer: Value) -> None:
    name = emitter.code.module.intrinsic(FREE, "i32", ["i32", "ptr"])
    emitter.fail_with(emitter.code.call(name, "i32", constant("i32", emitter.site(op, "")), pointer))


@lowers(DeallocOp)
def dealloc(emitter: FunctionEmitter, op: Operation) -> None:
    memref = emitter.parts(op.operands[0])
    if not isinstance(op.operands[0].type, MemRefType):
        emitter.refuse(op, "of an unranked memref is not supported in host code")
    _free(emitter, op, memref[0])


def needs_heap(op: Operation, *, is_recursive: bool, finds_unwritten: bool) -> bool:
    """Returns whether an operation allocates memory of the call that must not be on the stack.

    Memory on the heap is poisoned in programs in which reads of unwritten memory are looked for.
    """
    if not isinstance(op, AllocaOp):
        return False
    type = memref_of(op.memref.type)
    if op.dynamic_sizes or is_recursive or finds_unwritten:
        return True
    size = memory_type(type.element_type).size
    for extent in type.get_shape():
        size *= extent
    block = op.parent_block()
    region = block.parent if block is not None else None
    # In a region of several blocks it may be executed again while its earlier result is still in use.
    return size > _STACK_BYTES or (region is not None and len(region.blocks) > 1)


@lowers(AllocaOp)
def alloca(emitter: FunctionEmitter, op: AllocaOp) -> None:
    code, alignment = emitter.code, _alignment(op)
    form, size = buffer(emitter, op, memref_of(op.memref.type), op.dynamic_sizes)
    finds_unwritten = emitter.environment.finds_unwritten
    if not needs_heap(op, is_recursive=emitter.is_recursive, finds_unwritten=finds_unwritten):
        memory = emitter.variable(f"[{max(int(size.name), 1)} x i8]", alignment)
        code.run("llvm.memset.p0.i64", memory, constant("i8", 0), size, constant("i1", "false"))
    else:
        assert emitter.arena is not None
        # What was given before is written down in front of it.
        start = allocated(emitter, op, code.binary("add", size, integer(alignment)), alignment)
        code.store(code.load("ptr", emitter.arena, 8), start, 8)
        code.store(start, emitter.arena, 8)
        memory = code.offset(start, alignment)
    emitter.give(op.memref, memory, memory, *form.parts[2:])


@lowers(GetGlobalOp)
def get_global(emitter: FunctionEmitter, op: GetGlobalOp) -> None:
    memory = emitter.environment.global_memory(op, op.name_.root_reference.data)
    form, _ = buffer(emitter, op, memref_of(op.memref.type), ())
    address = emitter.code.load("ptr", memory, 8)
    emitter.give(op.memref, address, address, *form.parts[2:])


@lowers(LoadOp)
def load(emitter: FunctionEmitter, op: LoadOp) -> None:
    address = element_of_memref(emitter, op, op.memref, op.indices)
    emitter.give(op.res, load_element(emitter, op, address, op.res.type))


@lowers(StoreOp)
def store(emitter: FunctionEmitter, op: StoreOp) -> None:
    address = element_of_memref(emitter, op, op.memref, op.indices)
    store_element(emitter, emitter.one(op.value), address, op.value.type)


@lowers(PrefetchOp)
def prefetch(emitter: FunctionEmitter, op: Operation) -> None:
    """A hint that changes nothing."""


def each_element(
    emitter: FunctionEmitter, op: Operation, sizes: Sequence[Value], body: Callable[[Sequence[Value]], None]
) -> None:
    """Loops over all positions of a buffer, the last dimension innermost."""

    def nest(positions: list[Value]) -> None:
        if len(positions) == len(sizes):
            body(positions)
            return

        def iteration(position: Value) -> None:
            nest([*positions, position])

        counted(emitter, op, integer(0), sizes[len(positions)], integer(1), iteration)

    nest([])


def check_same_shape(emitter: FunctionEmitter, op: Operation, a: MemRefDescriptor, b: MemRefDescriptor) -> None:
    """Ends the program if two memrefs differ in shape."""
    for dimension, (one, other) in enumerate(zip(a.sizes, b.sizes, strict=True)):
        if one != other:
            differ = emitter.code.compare("icmp ne", one, other)
            text = f"has sizes that differ: {{0}} and {{1}} in dimension {dimension}"
            emitter.fail_if(differ, op, text, one, other)


def copy_elements(emitter: FunctionEmitter, op: Operation, source: SSAValue, target: SSAValue) -> None:
    """Copies all elements between memrefs of one shape: as bytes where both are contiguous, else one by one."""
    code, memory = emitter.code, memory_type(memref_of(source.type).element_type)
    a, b = descriptor(emitter, op, source), descriptor(emitter, op, target)
    check_same_shape(emitter, op, a, b)
    dense = [contiguous_strides(code, form.sizes) == form.strides for form in (a, b)]
    if all(dense):
        size = integer(memory.size)
        for extent in a.sizes:
            size = product(code, size, extent)
        start, end = (code.value("ptr", f"getelementptr {memory.llvm}, {m.aligned}, {m.offset}") for m in (b, a))
        code.run("llvm.memmove.p0.p0.i64", start, end, size, constant("i1", "false"))
        return

    def element(positions: Sequence[Value]) -> None:
        value = code.load(memory.llvm, element_address(emitter, a, positions, memory), memory.size)
        code.store(value, element_address(emitter, b, positions, memory), memory.size)

    each_element(emitter, op, a.sizes, element)


@lowers(CopyOp)
def copy(emitter: FunctionEmitter, op: CopyOp) -> None:
    for value in (op.source, op.target):
        if not isinstance(value.type, MemRefType):
            emitter.refuse(op, "of an unranked memref is not supported in host code")
    copy_elements(emitter, op, op.source, op.target)


_ATOMIC_INTEGERS = {
    "addi": "add",
    "muli": "mul",
    "andi": "and",
    "ori": "or",
    "xori": "xor",
    "mins": "smin",
    "minu": "umin",
    "maxs": "smax",
    "maxu": "umax",
}
_ATOMIC_FLOATS = {
    "addf": "fadd",
    "mulf": "fmul",
    "minimumf": "minimum",
    "maximumf": "maximum",
    "minnumf": "minnum",
    "maxnumf": "maxnum",
}


@lowers(AtomicRMWOp)
def atomic_rmw(emitter: FunctionEmitter, op: AtomicRMWOp) -> None:
    """Host code is executed by one thread, so that no other access can come between the read and the write."""
    code, type = emitter.code, op.value.type
    address = element_of_memref(emitter, op, op.memref, op.indices)
    old, value = load_element(emitter, op, address, type), emitter.one(op.value)
    kind = op.kind_name
    if kind == "assign":
        new = value
    elif float_type(type) is not None:
        name = _ATOMIC_FLOATS[kind]
        a, b = computed(code, old, type), computed(code, value, type)
        is_operation = name.startswith("f")
        result = code.binary(name, a, b) if is_operation else code.call(mangled(name, a.type), a.type, a, b)
        new = held(code, result, type)
    else:
        name = _ATOMIC_INTEGERS[kind]
        is_choice = name[1:] in ("min", "max")
        new = code.call(mangled(name, old.type), old.type, old, value) if is_choice else code.binary(name, old, value)
    store_element(emitter, new, address, type)
    emitter.give(op.result, old)


@lowers(GenericAtomicRMWOp)
def generic_atomic_rmw(emitter: FunctionEmitter, op: GenericAtomicRMWOp) -> None:
    address = element_of_memref(emitter, op, op.memref, op.indices)
    old = load_element(emitter, op, address, op.result.type)
    emitter.give(op.body.block.args[0], old)

    def leave(last: Operation) -> None:
        assert isinstance(last, AtomicYieldOp)
        store_element(emitter, emitter.one(last.operands[0]), address, op.result.type)

    emitter.region(op.body, leave)
    emitter.give(op.result, old)
