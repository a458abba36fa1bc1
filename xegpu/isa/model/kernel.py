"""The facts of a kernel, which lowering decides, `xe.kernel` carries, `.ze_info` states and a launch needs.

A fact is one field of `KernelFacts`. The properties of `xe.kernel` are made from these fields
(`xegpu.dialects.xe.kernel_facts`); `zebin.facts.writer` is the only place that knows their keys in `.ze_info`.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import cached_property
from typing import ClassVar, NamedTuple

from xegpu.on_demand import dataclass
from xegpu.targets import Target, local_id_row_bytes

Dim3 = tuple[int, int, int]
"""Three extents or indices, x first: the size of a work-group, the number of work-groups, or a work-group's id."""

KERNEL_NAME_LIMIT = 4096
"""The largest number of characters in the name of a kernel."""
RESERVED_WORD = "kernels_misc_info"
"""The word at which drivers cut `.ze_info`, wherever it occurs first."""
_ILLEGAL_IN_KERNEL_NAMES = re.compile(r"[/\x00-\x1f\x7f]")
"""Names are parts of section names, which tools take as paths, and stand in text."""

_CROSS_THREAD_UNIT = 32
"""The cross-thread payload is a multiple of this many bytes."""


def expected_kernel_name(name: str) -> str | None:
    """Returns the rule that the name of a kernel breaks, or None for one that binaries can hold (`zebin.rules`)."""
    if not name or len(name) > KERNEL_NAME_LIMIT or _ILLEGAL_IN_KERNEL_NAMES.search(name):
        return f"1 to {KERNEL_NAME_LIMIT} characters without '/' and control characters"
    if RESERVED_WORD in name:
        return f"a name without '{RESERVED_WORD}', where drivers cut the text"
    return None


class ArgumentKind(Enum):
    """The kind of an explicit kernel argument.

    VALUE is passed by value. POINTER is an address in global memory. LOCAL is shared local memory, of a size that the
    application names. IMAGE and SAMPLER are objects, of which the kernel gets the addresses of their states.
    """

    VALUE = "value"
    POINTER = "global"
    LOCAL = "local"
    IMAGE = "image"
    SAMPLER = "sampler"


@dataclass(frozen=True)
class PayloadSlot:
    """`size` bytes of an argument's value, from byte `source` on, that lie at `offset` in the cross-thread payload."""

    offset: int
    size: int
    source: int = 0


@dataclass(frozen=True)
class KernelArgument:
    """One explicit kernel argument.

    `size` is the number of bytes that the application passes; `slots` say where in the payload they go. `access` is
    `readonly`, `writeonly` or `readwrite` for memory and images, and empty for other arguments. `alignment`, in bytes,
    is that of shared local memory. A value that `is_address` is used as an address, one that `is_structure` has
    members.
    """

    name: str
    type_name: str
    size: int
    slots: tuple[PayloadSlot, ...]
    kind: ArgumentKind = ArgumentKind.VALUE
    access: str = ""
    is_address: bool = False
    is_structure: bool = False
    alignment: int = 16

    @classmethod
    def at(
        cls,
        offset: int,
        size: int,
        name: str,
        type_name: str,
        kind: ArgumentKind = ArgumentKind.VALUE,
        access: str = "",
        *,
        is_address: bool = False,
        is_structure: bool = False,
    ) -> KernelArgument:
        """Returns an argument that lies in one piece at `offset` in the cross-thread payload."""
        return cls(name, type_name, size, (PayloadSlot(offset, size),), kind, access, is_address, is_structure)


class SourceArgument(NamedTuple):
    """An argument of a kernel as its source declares it; what the source does not tell is empty.

    Attributes:
        name: Its name.
        type_name: Its type, such as `float4*`.
        address_qualifier: The memory: `private` for values, or `global`, `constant` or `local` for pointers.
        access_qualifier: `read_only`, `write_only` or `read_write` for images.
        type_qualifiers: Words such as `restrict const volatile`.
    """

    name: str = ""
    type_name: str = ""
    address_qualifier: str = "private"
    access_qualifier: str = ""
    type_qualifiers: str = ""


@dataclass(frozen=True)
class ImplicitArgument:
    """A value that the runtime supplies; `kind` is the `arg_type` word of ze_info.

    A value that describes an object, as the width of an image, names the explicit `argument` that is set to the object.
    """

    kind: str
    offset: int
    size: int
    argument: int | None = None


@dataclass(frozen=True)
class KernelSampler:
    """A sampler that the kernel brings along; the address of its state lies at `offset` in the payload.

    `addressing` and `filter` are the words of ze_info.
    """

    addressing: str
    filter: str
    normalized: bool
    offset: int

    SIZE: ClassVar[int] = 8
    """The bytes of the address."""


class BindingKind(Enum):
    """The kind of an object that code names by a number."""

    SURFACE = "surface"
    SAMPLER = "sampler"


@dataclass(frozen=True)
class Binding:
    """A number by which native code names an object: the memory of a buffer, an image or a sampler.

    The address of the memory, or of the object's state, lies at `offset` in the payload. At `handle` the payload has
    what code gives to messages that find the memory by its offset among all surfaces, in `handle_bytes`; -1 if it does
    not.
    """

    kind: BindingKind
    number: int
    offset: int
    handle: int = -1
    handle_bytes: int = 8

    SIZE: ClassVar[int] = 8
    """The bytes of the address."""


@dataclass(frozen=True)
class KernelFacts:
    """Everything that a compiler states about a kernel beside its code.

    Attributes:
        simd_size: Work-items of a hardware thread; 1 for a kernel that works on whole subgroups.
        arguments: The explicit arguments, in order.
        implicit_arguments: The values that the runtime supplies.
        local_id_dimensions: Dimensions of the local ids in the per-thread payload, 0 to 3.
        grf_count: Registers of a thread; 0 before register allocation.
        spill_size: Bytes of a thread's scratch space that hold spilled registers.
        private_size: Bytes of a thread's scratch space, at its start, that hold private memory.
        slm_size: Bytes of shared local memory of a work-group, beside those that arguments take.
        barrier_count: Barriers of a work-group.
        required_work_group_size: The only size of work-groups that the kernel can be launched with, if there is one.
        work_group_size_hint: The size of work-groups that the code was made for, if any size will do.
        known_grid_size: The number of work-groups that the kernel was made for, if there is one.
        vec_type_hint: The type that the source says that the kernel computes with, such as `float4`; usually none.
        source_arguments: The arguments as the source declares them, where it is in a language that tells.
        required_subgroup_size: The subgroup size that the program asks for, 0 if it asks for none.
        walk_order: The dimensions of a work-group in the order in which work-items follow one another.
        ordered_subgroups: The result depends on which work-items share a subgroup.
        indirect_accesses: Number of descriptors that are made of addresses loaded from memory.
        printf_strings: The format strings of the kernel's `printf`s, which the code numbers in this order.
        samplers: The samplers that the kernel brings along.
        bindings: The objects that native code names by numbers; their addresses follow each other in the payload.

    """

    simd_size: int
    arguments: tuple[KernelArgument, ...] = ()
    implicit_arguments: tuple[ImplicitArgument, ...] = ()
    local_id_dimensions: int = 0
    grf_count: int = 0
    spill_size: int = 0
    private_size: int = 0
    slm_size: int = 0
    barrier_count: int = 0
    required_work_group_size: Dim3 | None = None
    work_group_size_hint: Dim3 | None = None
    known_grid_size: Dim3 | None = None
    vec_type_hint: str = ""
    source_arguments: tuple[SourceArgument, ...] = ()
    required_subgroup_size: int = 0
    walk_order: Dim3 = (0, 1, 2)
    ordered_subgroups: bool = False
    indirect_accesses: int = 0
    printf_strings: tuple[str, ...] = ()
    samplers: tuple[KernelSampler, ...] = ()
    bindings: tuple[Binding, ...] = ()

    @property
    def scratch_size(self) -> int:
        """Bytes of scratch space of a hardware thread."""
        return self.private_size + self.spill_size

    @cached_property
    def cross_thread_size(self) -> int:
        """Bytes of the cross-thread payload, in whole units."""
        ends = [slot.offset + slot.size for argument in self.arguments for slot in argument.slots]
        ends += [sampler.offset + sampler.SIZE for sampler in self.samplers]
        ends += [binding.offset + binding.SIZE for binding in self.bindings]
        ends += [implicit.offset + implicit.size for implicit in self.implicit_arguments]
        end = max(ends, default=0)
        return -(-end // _CROSS_THREAD_UNIT) * _CROSS_THREAD_UNIT

    def offset_of(self, kind: str, argument: int | None = None) -> int | None:
        """Returns the payload offset of the implicit argument of a kind, which may describe an explicit one.

        None stands for one that the kernel does not take.
        """
        wanted = (kind, argument)
        return next((i.offset for i in self.implicit_arguments if (i.kind, i.argument) == wanted), None)

    def label(self, index: int) -> str:
        """Returns an explicit argument as messages name it: its index, and its name if it has one."""
        name = self.arguments[index].name
        return f"{index} ('{name}')" if name else str(index)

    def local_id_bytes(self, target: Target) -> int:
        """Bytes of the per-thread payload: packed x, y and z, or a row of registers for each dimension."""
        if not self.local_id_dimensions:
            return 0
        if self.simd_size == 1:
            return target.platform.grf_bytes
        return self.local_id_dimensions * local_id_row_bytes(self.simd_size, target.platform.grf_bytes)

    def max_group_size(self, target: Target) -> int:
        """Work-items of the largest work-group that fits a core of the target."""
        return min(target.platform.max_group_items, target.max_group_threads(self.grf_count) * self.simd_size)
