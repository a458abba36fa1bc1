"""Kernel mode, arguments and thread payload of a kernel: what stands in registers when a thread starts."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntAttr,
    IntegerType,
    MemRefType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from passes.convert_xegpu_to_xe.analysis.address_sources import READERS, address_sources
from passes.convert_xegpu_to_xe.kernel.resources import DYNAMIC_MEMORY, memory_space
from passes.convert_xegpu_to_xe.kernel.values import MessageMemory, element_type
from passes.support.control_flow import branch_operands
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.memref import has_explicit_strides, memref_strides
from xegpu.dialects.upstream.spirv import EntryPointABIAttr
from xegpu.dialects.xegpu import ConvertLayoutOp, DpasOp, TensorDescType, is_scalar
from xegpu.isa.code import ImplicitArgument, KernelArgument
from xegpu.targets import Target

POINTER_BYTES = 8
_DIMENSIONS = "xyz"
_IMPLICIT = {
    "gpu.block_dim": "enqueued_local_size",
    "gpu.global_id": "enqueued_local_size",
    "gpu.grid_dim": "group_count",
    "simt.printf_buffer": "printf_buffer",
}
_IMPLICIT_BYTES = {"enqueued_local_size": 12, "group_count": 12, "printf_buffer": POINTER_BYTES}
_QUALIFIERS = {MessageMemory.GLOBAL: "global", MessageMemory.SHARED: "local"}
"""Memory whose pointers can be passed, and what ze_info calls it."""
_THREAD_IDS = ("gpu.thread_id", "gpu.global_id")


@dataclass(frozen=True)
class ArgumentSlots:
    """Payload offsets of what one MLIR argument became: the value or pointer first, then the dynamic parts by name."""

    first: int
    parts: dict[str, int]


@dataclass
class Signature:
    """Everything about a kernel's interface. `lanes` is 1 in subgroup mode; payload offsets are in bytes."""

    lanes: int
    arguments: list[KernelArgument] = field(default_factory=list)
    slots: list[ArgumentSlots] = field(default_factory=list)
    dynamic_memory: ArgumentSlots | None = None
    implicit: dict[str, int] = field(default_factory=dict)
    local_id_dimensions: int = 0
    known_block_size: tuple[int, int, int] | None = None
    work_group_size_hint: tuple[int, int, int] | None = None
    required_subgroup_size: int = 0
    ordered_subgroups: bool = False
    """Whether it matters which work-items share a subgroup."""
    indirect_accesses: int = 0
    """Descriptors made of addresses that stood in memory."""
    payload_bytes: int = 0

    @property
    def simd_size(self) -> int:
        return self.lanes

    def implicit_arguments(self) -> list[ImplicitArgument]:
        return [ImplicitArgument(kind, offset, _IMPLICIT_BYTES[kind]) for kind, offset in self.implicit.items()]

    def _reserve(self, size: int, alignment: int) -> int:
        offset = -(-self.payload_bytes // alignment) * alignment
        self.payload_bytes = offset + size
        return offset


def kernel_lanes(function: Operation, target: Target) -> int:
    """Work-items that share a hardware thread: 1 in subgroup mode (see docs/architecture.md, Kernel modes)."""
    attributes = function.attributes | function.properties
    if "VectorComputeFunctionINTEL" in attributes:
        return 1
    if (wanted := entry_point_subgroup_size(function)) is not None:
        if wanted not in target.subgroup_sizes:
            sizes = ", ".join(map(str, target.subgroup_sizes))
            raise CompileError(function, f"subgroup size {wanted} is not one of {target.name}'s: {sizes}")
        return wanted
    operations = [op for op in function.walk() if op is not function]
    if any(_is_mapped(op) for op in operations):
        return target.subgroup_size
    vectors = any(isinstance(v.type, VectorType) for op in operations for v in (*op.operands, *op.results))
    if vectors or any(op.name.startswith("xegpu.") for op in operations):
        return 1
    return target.subgroup_size


def entry_point_subgroup_size(function: Operation) -> int | None:
    """The subgroup size that a kernel asks for, if any."""
    attribute = (function.attributes | function.properties).get("spirv.entry_point_abi")
    if not isinstance(attribute, EntryPointABIAttr) or not isinstance(attribute.subgroup_size, IntAttr):
        return None
    return attribute.subgroup_size.data


def _is_mapped(op: Operation) -> bool:
    """Whether lanes share a tile or matrix of this operation."""
    if isinstance(op, ConvertLayoutOp) or (isinstance(op, DpasOp) and (op.sg_maps or op.layouts)):
        return True
    types = (value.type for value in (*op.operands, *op.results))
    return any(isinstance(type, TensorDescType) and type.lane_map is not None for type in types)


def _has_ordered_subgroups(function: FuncOp, lanes: int) -> bool:
    """Whether a kernel numbers its subgroups, or lets work-items of a subgroup work together."""
    for op in function.walk():
        if op.name == "gpu.subgroup_id" or (lanes > 1 and (op.name in _OF_SUBGROUPS or _is_mapped(op))):
            return True
    return False


_OF_SUBGROUPS = frozenset(
    f"gpu.{name}" for name in ("lane_id", "rotate", "shuffle", "subgroup_broadcast", "subgroup_reduce")
)
"""What work-items of a subgroup do together, or by their place in it."""


def build_signature(function: FuncOp, target: Target) -> Signature:
    """Lays out the payload of a kernel. Raises `CompileError` for an argument type that cannot be passed."""
    signature = Signature(kernel_lanes(function, target))
    sources = address_sources(function)
    for index, argument in enumerate(function.arguments):
        name = argument.name_hint or f"arg{index}"
        signature.slots.append(_place(signature, name, argument, function, argument in sources.arguments))
    signature.indirect_accesses = sources.from_memory
    if signature.lanes > 1:
        signature.required_subgroup_size = entry_point_subgroup_size(function) or 0
    signature.ordered_subgroups = _has_ordered_subgroups(function, signature.lanes)
    dynamic = next((op.results[0] for op in function.walk() if op.name == DYNAMIC_MEMORY), None)
    if dynamic is not None:
        signature.dynamic_memory = _place(signature, DYNAMIC_MEMORY.rpartition(".")[2], dynamic, function)
    signature.known_block_size = function.block_size
    signature.work_group_size_hint = function.block_size_hint
    _check_group_size(signature, function, target)
    used = {(op.name, _dimension(op)) for op in function.walk()}
    for op_name, _ in sorted(used):
        kind = _IMPLICIT.get(op_name)
        known = kind == "enqueued_local_size" and signature.known_block_size is not None
        if kind is not None and not known and kind not in signature.implicit:
            size = _IMPLICIT_BYTES[kind]
            signature.implicit[kind] = signature._reserve(size, 8 if size == POINTER_BYTES else 4)
    dimensions = [_DIMENSIONS.index(d) + 1 for name, d in used if name in _THREAD_IDS]
    signature.local_id_dimensions = max(dimensions, default=0)
    return signature


def _check_group_size(signature: Signature, function: FuncOp, target: Target) -> None:
    size = signature.known_block_size
    if size is None:
        return
    threads = max(map(target.max_group_threads, target.grf_counts))
    most = min(target.max_group_items, threads * signature.lanes)
    if prod(size) > most:
        what = "subgroups" if signature.lanes == 1 else "work-items"
        raise CompileError(
            function,
            f"has known_block_size {list(size)}, {prod(size)} {what}: {target.name} has {most} in a work-group",
        )


def _dimension(op: Operation) -> str:
    attribute = op.properties.get("dimension") or op.attributes.get("dimension")
    return str(getattr(attribute, "data", "")) if attribute is not None else ""


def dimension_index(op: Operation) -> int:
    """0, 1 or 2 for the dimension that a gpu id operation names."""
    return _DIMENSIONS.index(_dimension(op))


def _place(
    signature: Signature, name: str, argument: SSAValue, function: Operation, is_address: bool = False
) -> ArgumentSlots:
    type = argument.type
    if isinstance(type, MemRefType):
        return _place_memref(signature, name, argument, type, function)
    data_type = element_type(type)
    if data_type is None or isinstance(type, VectorType):
        raise CompileError(function, f"kernel argument '{name}' of type {type} cannot be passed")
    size = 1 if type == IntegerType(1) else data_type.size
    offset = signature._reserve(size, size)
    signature.arguments.append(KernelArgument(name, str(type), size, offset, False, is_address=is_address))
    return ArgumentSlots(offset, {})


def _place_memref(
    signature: Signature, name: str, argument: SSAValue, type: MemRefType[Attribute], function: Operation
) -> ArgumentSlots:
    strides, space = memref_strides(type), memory_space(type)
    if strides is None or not _is_element(type.element_type) or space not in _QUALIFIERS:
        raise CompileError(function, f"kernel argument '{name}' of type {type} cannot be passed")
    offset = signature._reserve(POINTER_BYTES, POINTER_BYTES)
    access = pointer_access(argument)
    signature.arguments.append(KernelArgument(name, str(type), POINTER_BYTES, offset, True, _QUALIFIERS[space], access))
    parts: dict[str, int] = {}
    dynamic = [f"size{i}" for i, size in enumerate(type.get_shape()) if size == DYNAMIC_INDEX]
    if has_explicit_strides(type):
        dynamic += [f"stride{i}" for i, stride in enumerate(strides[0]) if stride is None]
        if strides[1] is None:
            dynamic.append("offset")
    for part in dynamic:
        parts[part] = signature._reserve(8, 8)
        signature.arguments.append(KernelArgument(f"{name}.{part}", str(IndexType()), 8, parts[part], False))
    return ArgumentSlots(offset, parts)


def _is_element(type: Attribute) -> bool:
    return isinstance(type, IndexType) or is_scalar(type)


def pointer_access(argument: SSAValue) -> str:
    """`readonly`, `writeonly` or `readwrite`: what the kernel does through a pointer, as far as it can be followed."""
    reads = writes = False
    seen: set[SSAValue] = set()
    pending = [argument]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        for use in value.uses:
            op = use.operation
            if op.name in READERS:
                reads = True
            elif op.name in _WRITERS:
                writes = True
            elif op.name in ("cf.br", "cf.cond_br"):
                pending += [argument for argument, operand in branch_operands(op) if operand is value]
            elif op.name in _FOLLOWED:
                pending += op.results
            elif op.name != "memref.dim":
                reads = writes = True
    if reads and not writes:
        return "readonly"
    return "writeonly" if writes and not reads else "readwrite"


_WRITERS = frozenset(
    {
        *("memref.store", "xegpu.store", "xegpu.store_nd"),
        *(f"vector.{name}" for name in ("compressstore", "maskedstore", "scatter", "store", "transfer_write")),
    }
)
_FOLLOWED = frozenset(
    {
        *(f"memref.{name}" for name in ("cast", "collapse_shape", "distinct_objects", "expand_shape")),
        "memref.memory_space_cast",
        *(f"memref.{name}" for name in ("reinterpret_cast", "subview", "transpose", "view")),
        *(f"xegpu.{name}" for name in ("create_nd_tdesc", "update_nd_offset", "create_tdesc", "update_offset")),
    }
)
