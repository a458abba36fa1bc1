"""The description of one generation of GPUs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from xegpu.targets.blocks import Block2D


class Feature(Enum):
    """A capability that some generations have and others lack; the value names it in messages.

    Rows of the instruction table and types name the feature that they need.
    """

    FP64 = "double precision"
    TF32 = "tf32"
    INT64 = "64-bit integer instructions"
    IMAGES = "images"
    BLOCK_2D = "block-2D messages"
    DPAS = "matrix engine"

    __hash__ = object.__hash__
    """Enum's own hashes the name, in Python: the rules of every instruction look features up."""


COMMON_SUBGROUP_SIZE = 16
"""The subgroup size of kernels in languages of work-items that ask for none: all generations have it."""


@dataclass(frozen=True)
class Dpas:
    """The matrix engine: `execution_size` columns, `depth` systolic steps, up to `max_repeat` rows.

    `narrow_results` says that products of bf and hf may also have accumulators and results of their own type.
    """

    execution_size: int
    depth: int = 8
    max_repeat: int = 8
    narrow_results: bool = False


@dataclass(frozen=True)
class PayloadLoads:
    """The messages by which the prologue of native code loads the payload of a launch.

    They go to `unit`, load one of `blocks` dwords, and have the offset at `offset_byte` of their address register.
    """

    unit: str
    blocks: tuple[int, ...]
    offset_byte: int


@dataclass(frozen=True)
class NativeConventions:
    """The ways of the native code of a generation.

    `encoding` names the tables of its words, as Intel's assembler does. A message has up to `message_lanes` channels.
    `fence_route` are the bits of a fence of memory that choose its way, and `fences_at_end` says that stores may still
    be under way when a thread ends. With `division_macros`, sequences of instructions round quotients and square roots
    correctly.
    """

    encoding: str
    message_lanes: int
    payload: PayloadLoads
    fence_route: int = 0
    fences_at_end: bool = False
    division_macros: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Platform:
    """One generation: all that code has to know of it, whichever product a kernel is for.

    `eu_threads` are the hardware threads of an EU (XVE) by the number of registers that each has; these numbers are
    the legal ones. `subgroup_sizes` are the lanes that kernels of work-items may have, `subgroup_size` those that they
    have unless they ask for others. Gathers are padded to `physical_simd_width` lanes; those that compilers make of
    elements one by one have up to `gather_lanes`. `sr0.0` tells the hardware threads apart that live at the same time:
    by three bits of a thread in an EU, from bit 4 on two of an EU, and from `thread_id_bit` on the rest. `dpas`,
    `block2d` and `native` are None for a generation without a matrix engine, without block-2D messages, and whose
    native code is not known.
    """

    name: str
    title: str
    gfx_core: int
    grf_bytes: int
    eu_threads: Mapping[int, int]
    flag_registers: int
    subgroup_size: int
    subgroup_sizes: tuple[int, ...]
    physical_simd_width: int
    gather_lanes: int
    thread_id_bit: int
    features: frozenset[Feature]
    dpas: Dpas | None
    block2d: Block2D | None
    max_message_bytes: int
    max_group_items: int
    max_slm_bytes: int
    barrier_counts: tuple[int, ...]
    core_barriers: int
    max_scratch_bytes: int
    cache_line_bytes: int
    native: NativeConventions | None

    @property
    def grf_counts(self) -> tuple[int, ...]:
        """The numbers of registers that a thread may have, which ascend."""
        return tuple(self.eu_threads)

    @property
    def has_named_barriers(self) -> bool:
        """Returns whether a work-group may have barriers besides its own."""
        return max(self.barrier_counts) > 1

    def has(self, feature: Feature) -> bool:
        """Returns whether the generation has a feature."""
        if feature is Feature.BLOCK_2D:
            return self.block2d is not None
        if feature is Feature.DPAS:
            return self.dpas is not None
        return feature in self.features

    @property
    def matrix_engine(self) -> Dpas:
        """Returns the matrix engine, for code that has seen a dpas of a kernel for this generation.

        Raises `LookupError` if there is none: passes and engines refuse each dpas before they ask.
        """
        if self.dpas is None:
            raise LookupError(f"{self.title} has no {Feature.DPAS.value}")
        return self.dpas

    def __repr__(self) -> str:
        return f"<{self.title}>"
