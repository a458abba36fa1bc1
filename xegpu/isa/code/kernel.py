"""What the compiler knows about a finished kernel: the contents of its ZEBIN entry."""

from __future__ import annotations

from dataclasses import dataclass

from xegpu.isa.code.features import UNKNOWN_CODE, CodeFeatures
from xegpu.isa.code.line_table import NO_LINES, LineTable
from xegpu.isa.model.costs import KernelCost


@dataclass(frozen=True)
class KernelArgument:
    """One explicit kernel argument, in argument order.

    `size` and `offset` are bytes in the cross-thread payload. `access` is `readonly`, `writeonly` or `readwrite` for
    pointers and empty for values; `address_space` is `global` or `local` for pointers, and `image` or `sampler` for
    these objects, of which kernels get the addresses of their states. A value that `is_address` is used as one.
    """

    name: str
    type_name: str
    size: int
    offset: int
    is_pointer: bool
    address_space: str = ""
    access: str = ""
    is_address: bool = False


@dataclass(frozen=True)
class ImplicitArgument:
    """A value that the runtime supplies; `kind` is the `arg_type` word of ze_info."""

    kind: str
    offset: int
    size: int


@dataclass(frozen=True)
class Variable:
    """A variable of the module that kernels address by name: its contents, and a power of two that it is aligned to.

    A `public` one can be reached by the host.
    """

    name: str
    data: bytes
    alignment: int
    is_constant: bool
    is_public: bool = True


@dataclass(frozen=True)
class SymbolReference:
    """Eight bytes of a kernel's code, from `offset` on, that become the address of `symbol` when it is loaded."""

    offset: int
    symbol: str


@dataclass(frozen=True)
class CompiledKernel:
    """A kernel ready to be put into a ZEBIN.

    `code` is the header word and the encoded instructions, unpadded; `entry_offset` is where `_entry` points. `lines`
    says which source each instruction comes from, `features` what the code uses of the machine, `cost` what the cost
    model makes of it. `references` are the addresses in the code that a loader fills in, `variables` what the kernel's
    module holds beside kernels. `work_group_size_hint` is the size of work-groups unless a launch says otherwise;
    `required_subgroup_size` is 0 unless the program asks for one; `ordered_subgroups` says that it matters which
    work-items share a subgroup; `indirect_accesses` counts descriptors of addresses that stood in memory.
    Sizes are bytes, per hardware thread (`spill_size`, `private_size`) or per work-group (`slm_size`).
    """

    name: str
    code: bytes
    entry_offset: int
    simd_size: int
    grf_count: int
    arguments: tuple[KernelArgument, ...]
    implicit_arguments: tuple[ImplicitArgument, ...] = ()
    local_id_dimensions: int = 0
    required_work_group_size: tuple[int, int, int] | None = None
    work_group_size_hint: tuple[int, int, int] | None = None
    barrier_count: int = 0
    slm_size: int = 0
    spill_size: int = 0
    private_size: int = 0
    features: CodeFeatures = UNKNOWN_CODE
    printf_strings: tuple[str, ...] = ()
    lines: LineTable = NO_LINES
    cost: KernelCost | None = None
    required_subgroup_size: int = 0
    ordered_subgroups: bool = False
    indirect_accesses: int = 0
    references: tuple[SymbolReference, ...] = ()
    variables: tuple[Variable, ...] = ()
