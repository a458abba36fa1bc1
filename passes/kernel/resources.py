"""Resources of a kernel beside registers: shared and private memory with the offset of each buffer, and barriers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from math import prod

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType
from xdsl.dialects.llvm import AddressOfOp, AllocaOp, GlobalOp, LLVMPointerType, PtrToIntOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import SymbolTable
from xdsl.utils.hints import isa

from passes.kernel.memories import GENERIC, PRIVATE, SHARED, MessageMemory, memory_space, space_number
from passes.kernel.register_types import memory_type
from passes.support.control_flow import operations_of
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import AllReduceOp, FuncOp
from xegpu.dialects.upstream.llvm import size_of
from xegpu.dialects.upstream.memref import memref_strides
from xegpu.targets import Target

ALLOCATIONS = (memref.AllocOp, memref.AllocaOp, memref.GetGlobalOp)
_ALIGNMENT = 64
"""Buffers start at multiples of this, for blocks of any size to be read from them."""
_MEMORY = (*ALLOCATIONS, AddressOfOp, AllocaOp, PtrToIntOp, AllReduceOp)
"""The operations that need memory, or decide where it may be."""
_LARGEST_ELEMENT = 8
_POINTER_MAKERS = (AddressOfOp, AllocaOp)


@dataclass(frozen=True)
class BufferOffset:
    """The offset of a buffer in bytes from the start of its memory."""

    space: MessageMemory
    offset: int


@dataclass
class Resources:
    """Places of buffers and of variables in shared memory, and totals.

    `slm_size` is in bytes per work-group, `private_size` in bytes per thread.
    """

    places: dict[SSAValue, BufferOffset] = field(default_factory=dict)
    variables: dict[Operation, BufferOffset] = field(default_factory=dict)
    slm_size: int = 0
    private_size: int = 0
    barrier_count: int = 0

    @property
    def private(self) -> frozenset[SSAValue]:
        """The buffers whose contents are each work-item's own."""
        return frozenset(value for value, place in self.places.items() if place.space is MessageMemory.PRIVATE)

    def need_barriers(self, count: int) -> None:
        """The kernel uses barriers 0 to `count` - 1."""
        self.barrier_count = max(self.barrier_count, count)


def find_resources(function: FuncOp, lanes: int, target: Target, common: Set[SSAValue] = frozenset()) -> Resources:
    """Gives each buffer of a kernel its place; lanes share the `common` ones.

    Raises `CompileError` for memory that the target does not have.
    """
    resources = Resources()
    globals: dict[str, BufferOffset] = {}
    operations: Sequence[Operation] = operations_of(function, *_MEMORY)
    _keep_null_apart(function, operations, resources)
    for op in operations:
        if isinstance(op, _POINTER_MAKERS):
            _place_pointer(op, 1 if op.results[0] in common else lanes, resources)
            _check_totals(op, resources, target)
    for value, op, space in _buffers(function, operations):
        type = value.type
        assert isa(type, MemRefType)
        size = _static_bytes(op, type)
        name = str(op.properties["name"]) if isinstance(op, memref.GetGlobalOp) else None
        if name in globals:
            resources.places[value] = globals[name]
            continue
        if space is MessageMemory.SHARED:
            offset = _start(op, resources.slm_size)
            resources.places[value] = BufferOffset(space, offset)
            resources.slm_size = offset + _whole(size)
        else:
            offset = _start(op, resources.private_size)
            resources.places[value] = BufferOffset(space, offset)
            resources.private_size = offset + _whole(size * lanes)
        if name is not None:
            globals[name] = resources.places[value]
        _check_totals(op, resources, target)
    _reserve_for_reductions(operations, lanes, target, resources)
    _check_totals(function, resources, target)
    return resources


def _keep_null_apart(function: FuncOp, operations: Sequence[Operation], resources: Resources) -> None:
    """Leaves offset 0 unused in memories whose pointers the kernel looks at as numbers: no object is where null is."""
    seen = {space_number(op.input.type) for op in operations if isinstance(op, PtrToIntOp)}
    arguments = [argument.type for argument in function.body.blocks[0].args]
    made = {space_number(type) for type in arguments if isinstance(type, LLVMPointerType)}
    made |= {space_number(op.results[0].type) for op in operations if isinstance(op, AddressOfOp | AllocaOp)}
    if SHARED in made and not seen.isdisjoint((SHARED, GENERIC)):
        resources.slm_size = _ALIGNMENT
    if PRIVATE in made and not seen.isdisjoint((PRIVATE, GENERIC)):
        resources.private_size = _ALIGNMENT


def _place_pointer(op: AddressOfOp | AllocaOp, copies: int, resources: Resources) -> None:
    """Gives the memory that an operation makes a pointer to its place, with a copy for each lane or one for all."""
    if isinstance(op, AllocaOp):
        size = allocated_bytes(op)
        if size is None:
            raise CompileError(op, "needs memory of a size that is known when the kernel is compiled")
        offset = _start(op, resources.private_size)
        resources.places[op.res] = BufferOffset(MessageMemory.PRIVATE, offset)
        resources.private_size = offset + _whole(size * copies)
    else:
        variable = SymbolTable.lookup_symbol(op, op.global_name)
        if not isinstance(variable, GlobalOp) or variable.addr_space.value.data != SHARED:
            return
        size = size_of(variable.global_type)
        if size is None:
            raise CompileError(op, f"names memory of type {variable.global_type}, which is not supported in a kernel")
        place = resources.variables.get(variable)
        if place is None:
            offset = _start(variable, resources.slm_size)
            place = resources.variables[variable] = BufferOffset(MessageMemory.SHARED, offset)
            resources.slm_size = offset + _whole(size)
        resources.places[op.result] = place


def allocated_bytes(op: AllocaOp) -> int | None:
    """Returns the bytes that a work-item allocates; None where they are not known at compile time."""
    size, count = size_of(op.elem_type), op.size.owner
    number = count.properties.get("value") if isinstance(count, Operation) else None
    if size is None or not isinstance(number, IntegerAttr):
        return None
    alignment = 1 if op.alignment is None else op.alignment.value.data
    return -(-size * int(number.value.data) // alignment) * alignment


def _check_totals(op: Operation, resources: Resources, target: Target) -> None:
    for used, limit, kind in (
        (resources.slm_size, target.platform.max_slm_bytes, "shared local memory of a work-group"),
        (resources.private_size, target.platform.max_scratch_bytes, "private memory of a thread"),
    ):
        if used > limit:
            raise CompileError(op, f"needs {used} bytes of {kind}: {target.name} has {limit}")


def _reserve_for_reductions(operations: Sequence[Operation], lanes: int, target: Target, resources: Resources) -> None:
    """Room for a result of each thread, for all reductions over the work-group together."""
    reductions = [op.results[0] for op in operations if isinstance(op, AllReduceOp)]
    if reductions:
        place = BufferOffset(MessageMemory.SHARED, resources.slm_size)
        resources.places.update(dict.fromkeys(reductions, place))
        resources.slm_size += -(-target.platform.max_group_items // lanes) * _LARGEST_ELEMENT


def _buffers(function: FuncOp, operations: Sequence[Operation]) -> Iterator[tuple[SSAValue, Operation, MessageMemory]]:
    """(buffer, operation to blame, memory) of what the kernel allocates, with sizes that are known at compile time."""
    for argument in function.workgroup_arguments:
        yield argument, function, MessageMemory.SHARED
    for argument in function.private_arguments:
        yield argument, function, MessageMemory.PRIVATE
    for op in operations:
        if not isinstance(op, ALLOCATIONS):
            continue
        type = op.results[0].type
        assert isa(type, MemRefType)
        space = memory_space(type)
        if isinstance(op, memref.AllocaOp) and space is MessageMemory.GLOBAL:
            space = MessageMemory.PRIVATE
        is_variable = isinstance(op, memref.GetGlobalOp)
        if is_variable and space is MessageMemory.GLOBAL:
            continue
        if space is None or space is MessageMemory.GLOBAL or (is_variable and space is MessageMemory.PRIVATE):
            raise CompileError(
                op, f"of type {type} is not supported in a kernel, which can only allocate shared and private memory"
            )
        yield op.results[0], op, space


def _static_bytes(op: Operation, type: MemRefType[Attribute]) -> int:
    element, layout = memory_type(type.element_type), memref_strides(type)
    if element is None or layout is None:
        raise CompileError(op, f"memory of type {type} is not supported in a kernel")
    shape, strides = type.get_shape(), layout[0]
    known = [stride for stride in strides if stride is not None]
    if DYNAMIC_INDEX in shape or len(known) != len(strides) or layout[1] is None:
        raise CompileError(op, f"needs memory of a size that is known when the kernel is compiled, got {type}")
    if prod(shape) == 0:
        return 0
    last = layout[1] + sum((size - 1) * stride for size, stride in zip(shape, known, strict=True))
    if min(known, default=0) < 0:
        raise CompileError(op, f"memory of type {type} is not supported in a kernel: strides below 0")
    return (last + 1) * element.size


def _start(op: Operation, end: int) -> int:
    """Returns the first offset behind those in use that is aligned as an allocation asks for, or more."""
    wanted = op.properties.get("alignment")
    alignment = max(_ALIGNMENT, wanted.value.data if isinstance(wanted, IntegerAttr) else 0)
    return -(-end // alignment) * alignment


def _whole(size: int) -> int:
    """Returns the size as buffers take it."""
    return -(-size // _ALIGNMENT) * _ALIGNMENT
