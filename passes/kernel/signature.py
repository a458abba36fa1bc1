"""The interface of a kernel: its mode, its arguments, and the payload that a thread starts with in its registers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IndexType,
    IntegerType,
    MemRefType,
    StringAttr,
    UnrankedMemRefType,
    VectorType,
)
from xdsl.dialects.llvm import LLVMArrayType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, SSAValue

from passes.kernel.address_sources import address_sources
from passes.kernel.dimensions import DIMENSIONS, dimension
from passes.kernel.memories import MessageMemory, memory_of, memory_space
from passes.kernel.mode import has_ordered_subgroups, kernel_lanes, required_subgroup_size
from passes.kernel.pointer_access import pointer_access
from passes.kernel.register_types import BOOLEAN, element_count, element_type
from passes.kernel.unranked import unranked_use
from passes.support.control_flow import operations_in, operations_of
from xegpu.diagnostics import CompileError
from xegpu.dialects.image import ConstantSamplerOp, ImageSamplerType, ImageSurfaceType, QueryOp
from xegpu.dialects.upstream.gpu import SOURCE_ARGUMENTS, VEC_TYPE_HINT, DynamicSharedMemoryOp, FuncOp
from xegpu.dialects.upstream.llvm import alignment_of, size_of
from xegpu.dialects.upstream.memref import has_explicit_strides, memref_strides
from xegpu.dialects.xegpu import is_scalar
from xegpu.isa.model import (
    MAX_SAMPLERS,
    ArgumentKind,
    ImplicitArgument,
    KernelArgument,
    KernelFacts,
    KernelSampler,
    SourceArgument,
    expected_kernel_name,
)
from xegpu.targets import Feature, Target

POINTER_BYTES = 8
_IMPLICIT = {
    "gpu.block_dim": ("enqueued_local_size",),
    "gpu.global_id": ("enqueued_local_size", "global_id_offset"),
    "gpu.grid_dim": ("group_count",),
    "simt.printf_buffer": ("printf_buffer",),
}
"""The implicit arguments that operations read."""
_IMPLICIT_BYTES = {
    "enqueued_local_size": 12,
    "global_id_offset": 12,
    "group_count": 12,
    "printf_buffer": POINTER_BYTES,
}
_POINTERS = {MessageMemory.GLOBAL: ArgumentKind.POINTER, MessageMemory.SHARED: ArgumentKind.LOCAL}
"""The memory spaces whose addresses can be passed."""
_THREAD_IDS = ("gpu.thread_id", "gpu.global_id")


@dataclass(frozen=True)
class ArgumentSlots:
    """Payload offsets of one MLIR argument: of the value or pointer, and of the dynamic parts of a memref by name."""

    first: int
    parts: dict[str, int]


@dataclass(frozen=True)
class Signature:
    """The interface of a kernel.

    Attributes:
        facts: The facts that are known before the kernel's operations are lowered.
        slots: The payload offsets of each MLIR argument.
        dynamic_memory: The payload offsets of the dynamic shared memory, if the kernel uses it.
        images: The numbers of the kernel's arguments that are images.

    """

    facts: KernelFacts
    slots: tuple[ArgumentSlots, ...]
    dynamic_memory: ArgumentSlots | None
    images: Mapping[SSAValue, int]

    def implicit_offset(self, kind: str) -> int:
        """Returns the payload offset of an implicit argument that the kernel has."""
        offset = self.facts.offset_of(kind)
        assert offset is not None
        return offset

    def image_fact_offset(self, fact: str, image: SSAValue) -> int | None:
        """Returns the payload offset of an image's description; None for an image that is not an argument."""
        return None if image not in self.images else self.facts.offset_of(f"image_{fact}", self.images[image])


def build_signature(function: FuncOp, target: Target) -> Signature:
    """Lays out the payload of a kernel.

    Raises `CompileError` for an argument type that cannot be passed, and for a name that binaries cannot hold.
    """
    name = function.sym_name.data
    if (expected := expected_kernel_name(name)) is not None:
        raise CompileError(function, f"is a kernel called {name[:80]!r}: expected {expected}")
    lanes = kernel_lanes(function, target)
    payload = _Payload(function, target)
    sources = address_sources(function)
    slots = []
    for index, argument in enumerate(function.arguments):
        name = argument.name_hint or f"arg{index}"
        slots.append(payload.add(name, argument, is_address=argument in sources.arguments))
    dynamic = next((op.memref for op in operations_of(function, DynamicSharedMemoryOp)), None)
    dynamic_slots = None if dynamic is None else payload.add("dynamic_shared_memory", dynamic)
    _check_group_size(function, lanes, target)
    used = {(op.name, dimension(op)) for op in operations_in(function)}
    implicit = payload.add_implicit(sorted({name for name, _ in used}))
    thread_dimensions = [DIMENSIONS.index(d) + 1 for name, d in used if name in _THREAD_IDS]
    facts = KernelFacts(
        simd_size=lanes,
        implicit_arguments=(*implicit, *payload.add_image_facts()),
        arguments=tuple(payload.arguments),
        local_id_dimensions=max(thread_dimensions, default=0),
        required_work_group_size=function.block_size,
        work_group_size_hint=function.block_size_hint,
        known_grid_size=function.grid_size,
        vec_type_hint=hint.data if isinstance(hint := function.attributes.get(VEC_TYPE_HINT), StringAttr) else "",
        source_arguments=tuple(_source_arguments(function)),
        required_subgroup_size=required_subgroup_size(function) if lanes > 1 else 0,
        ordered_subgroups=has_ordered_subgroups(function, lanes),
        indirect_accesses=sources.from_memory,
        samplers=payload.add_samplers(),
    )
    return Signature(facts, tuple(slots), dynamic_slots, payload.images)


def _source_arguments(function: FuncOp) -> Iterator[SourceArgument]:
    """Yields the arguments as the source of a kernel declares them, where an attribute tells."""
    attribute = function.attributes.get(SOURCE_ARGUMENTS)
    for fields in attribute if isinstance(attribute, ArrayAttr) else ():
        words = [word.data for word in fields if isinstance(word, StringAttr)] if isinstance(fields, ArrayAttr) else []
        if len(words) != len(SourceArgument._fields):
            expected = ", ".join(SourceArgument._fields)
            raise CompileError(function, f"has the source argument {fields}: expected strings for {expected}")
        yield SourceArgument(*words)


def _check_group_size(function: FuncOp, lanes: int, target: Target) -> None:
    size = function.block_size
    if size is None:
        return
    threads = max(map(target.max_group_threads, target.platform.grf_counts))
    limit = min(target.platform.max_group_items, threads * lanes)
    if prod(size) > limit:
        what = "subgroups" if lanes == 1 else "work-items"
        raise CompileError(
            function,
            f"has known_block_size {list(size)}, {prod(size)} {what}: {target.name} has {limit} in a work-group",
        )


class _Payload:
    """The cross-thread payload of a kernel while its arguments are laid out one behind the other."""

    def __init__(self, function: FuncOp, target: Target):
        self.arguments: list[KernelArgument] = []
        self.images: dict[SSAValue, int] = {}
        self._function = function
        self._target = target
        self._end = 0

    def _reserve(self, size: int, alignment: int) -> int:
        offset = -(-self._end // alignment) * alignment
        self._end = offset + size
        return offset

    def add(self, name: str, argument: SSAValue, *, is_address: bool = False) -> ArgumentSlots:
        """Adds the kernel arguments that pass an MLIR argument, and returns their offsets."""
        type = argument.type
        if isinstance(type, MemRefType):
            return self._add_memref(name, argument, type)
        if isinstance(type, UnrankedMemRefType):
            return self._add_unranked(name, argument, type)
        if isinstance(type, LLVMPointerType):
            return self._add_pointer(name, argument, type)
        if isinstance(type, LLVMStructType | LLVMArrayType):
            return self._add_structure(name, type)
        if isinstance(type, ImageSurfaceType | ImageSamplerType):
            return self._add_object(name, argument, type)
        data_type = element_type(type)
        if data_type is None or (isinstance(type, VectorType) and data_type is BOOLEAN):
            raise self._refused(name, type)
        size = 1 if data_type is BOOLEAN else element_count(type) * data_type.size
        offset = self._reserve(size, data_type.size if size > data_type.size else size)
        self.arguments.append(KernelArgument.at(offset, size, name, str(type), is_address=is_address))
        return ArgumentSlots(offset, {})

    def _add_pointer(self, name: str, argument: SSAValue, type: LLVMPointerType) -> ArgumentSlots:
        space = memory_of(type)
        if space is MessageMemory.PRIVATE:
            raise self._refused(name, type)
        offset = self._reserve(POINTER_BYTES, POINTER_BYTES)
        kind = _POINTERS[space or MessageMemory.GLOBAL]
        access = pointer_access(argument)
        self.arguments.append(KernelArgument.at(offset, POINTER_BYTES, name, str(type), kind, access))
        return ArgumentSlots(offset, {})

    def _add_structure(self, name: str, type: LLVMStructType | LLVMArrayType) -> ArgumentSlots:
        """Adds a structure that is passed by value."""
        size = size_of(type)
        if not size or not all(_can_be_field(field) for field in leaves(type)):
            raise self._refused(name, type)
        offset = self._reserve(size, max(alignment_of(type), 4))
        self.arguments.append(KernelArgument.at(offset, size, name, str(type), is_structure=True))
        return ArgumentSlots(offset, {})

    def _add_object(self, name: str, argument: SSAValue, type: ImageSurfaceType | ImageSamplerType) -> ArgumentSlots:
        """Adds an image or a sampler: the kernel gets the address of its state."""
        if not self._target.platform.has(Feature.IMAGES):
            what = "an image" if isinstance(type, ImageSurfaceType) else "a sampler"
            raise CompileError(self._function, f"kernel argument '{name}' is {what}: {self._target.name} has no images")
        offset = self._reserve(POINTER_BYTES, POINTER_BYTES)
        kind, type_name, access = ArgumentKind.SAMPLER, "sampler_t", ""
        if isinstance(type, ImageSurfaceType):
            kind, type_name, access = ArgumentKind.IMAGE, f"{type.form.value}_t", type.access.data
            self.images[argument] = len(self.arguments)
        self.arguments.append(KernelArgument.at(offset, POINTER_BYTES, name, type_name, kind, access))
        return ArgumentSlots(offset, {})

    def _add_memref(self, name: str, argument: SSAValue, type: MemRefType[Attribute]) -> ArgumentSlots:
        strides, space = memref_strides(type), memory_space(type)
        if strides is None or not _is_element(type.element_type) or space not in _POINTERS:
            raise self._refused(name, type)
        offset = self._reserve(POINTER_BYTES, POINTER_BYTES)
        access = pointer_access(argument)
        self.arguments.append(KernelArgument.at(offset, POINTER_BYTES, name, str(type), _POINTERS[space], access))
        dynamic = [f"size{i}" for i, size in enumerate(type.get_shape()) if size == DYNAMIC_INDEX]
        if has_explicit_strides(type):
            dynamic += [f"stride{i}" for i, stride in enumerate(strides[0]) if stride is None]
            if strides[1] is None:
                dynamic.append("offset")
        return ArgumentSlots(offset, self._add_parts(name, dynamic))

    def _add_unranked(self, name: str, argument: SSAValue, type: UnrankedMemRefType[Attribute]) -> ArgumentSlots:
        if not _is_element(type.element_type) or memory_space(type) is not MessageMemory.GLOBAL:
            raise self._refused(name, type)
        offset = self._reserve(POINTER_BYTES, POINTER_BYTES)
        access = pointer_access(argument)
        kind = ArgumentKind.POINTER
        self.arguments.append(KernelArgument.at(offset, POINTER_BYTES, name, str(type), kind, access))
        return ArgumentSlots(offset, self._add_parts(name, unranked_use(argument).parts))

    def _add_parts(self, name: str, parts: Sequence[str]) -> dict[str, int]:
        """Adds numbers of a memref, of 64 bits each, and returns their offsets."""
        offsets = {part: self._reserve(8, 8) for part in parts}
        self.arguments += [
            KernelArgument.at(offset, 8, f"{name}.{part}", str(IndexType())) for part, offset in offsets.items()
        ]
        return offsets

    def add_implicit(self, operations: Iterable[str]) -> tuple[ImplicitArgument, ...]:
        """Adds the implicit arguments that operations of these names read."""
        kinds = dict.fromkeys(kind for name in operations for kind in _IMPLICIT.get(name, ()))
        if self._function.block_size is not None:
            kinds.pop("enqueued_local_size", None)
        sizes = {kind: _IMPLICIT_BYTES[kind] for kind in kinds}
        return tuple(
            ImplicitArgument(kind, self._reserve(size, 8 if size == POINTER_BYTES else 4), size)
            for kind, size in sizes.items()
        )

    def add_image_facts(self) -> Iterator[ImplicitArgument]:
        """Adds the facts of image arguments that the kernel queries, and yields them."""
        asked = {
            (f"image_{op.fact.data}", self.images[op.image]): None
            for op in operations_of(self._function, QueryOp)
            if op.image in self.images
        }
        for kind, argument in asked:
            yield ImplicitArgument(kind, self._reserve(4, 4), 4, argument)

    def add_samplers(self) -> tuple[KernelSampler, ...]:
        """Adds the addresses of the samplers that the kernel brings along, and returns them."""
        wanted = {sampler_words(op): None for op in operations_of(self._function, ConstantSamplerOp)}
        taken = sum(argument.kind is ArgumentKind.SAMPLER for argument in self.arguments)
        if taken + len(wanted) > MAX_SAMPLERS:
            raise CompileError(
                self._function,
                f"uses {taken + len(wanted)} samplers: {self._target.name} has {MAX_SAMPLERS}",
            )
        return tuple(KernelSampler(*words, self._reserve(KernelSampler.SIZE, KernelSampler.SIZE)) for words in wanted)

    def _refused(self, name: str, type: Attribute) -> CompileError:
        return CompileError(self._function, f"kernel argument '{name}' of type {type} cannot be passed")


def sampler_words(op: ConstantSamplerOp) -> tuple[str, str, bool]:
    """Returns addressing mode, filter mode, and whether coordinates are normalized."""
    return op.addressing.data, op.filter.data, op.normalized is not None


def leaves(type: Attribute) -> Iterator[Attribute]:
    """Yields the types of the scalars in a structure or array, each once."""
    if isinstance(type, LLVMStructType):
        for field in dict.fromkeys(type.types):
            yield from leaves(field)
    elif isinstance(type, LLVMArrayType):
        yield from leaves(type.type)
    else:
        yield type


def _can_be_field(type: Attribute) -> bool:
    return element_type(type) not in (None, BOOLEAN) or type == IntegerType(16)


def _is_element(type: Attribute) -> bool:
    return isinstance(type, IndexType) or is_scalar(type)
