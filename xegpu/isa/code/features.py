"""Features of the machine that the code of a kernel uses, which drivers need to know before they start it."""

from __future__ import annotations

from xegpu.isa.code.program import Program
from xegpu.isa.code.spinning import spinning_edges
from xegpu.isa.formats.footprint import footprint
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.messages import AddressModel, CacheControl, Unit
from xegpu.isa.model.table import MemoryAccessKind
from xegpu.on_demand import dataclass
from xegpu.targets import Target


@dataclass(frozen=True)
class CodeFeatures:
    """Features of the machine that some instruction of a kernel uses.

    `reaches_global` and `writes_global` are accesses to global memory by 64-bit addresses, `has_global_atomics` atomic
    updates among them; `has_sample` reads images through samplers, `fences_images` waits for accesses to images.
    `overrides_l1` are stores with a cache policy of their own. `waits_for_others` is a loop that may go on until
    another thread has written to memory.
    """

    has_dpas: bool = False
    has_sample: bool = False
    has_global_atomics: bool = False
    reaches_global: bool = False
    writes_global: bool = False
    fences_images: bool = False
    overrides_l1: bool = False
    waits_for_others: bool = False


UNKNOWN_CODE = CodeFeatures(reaches_global=True, writes_global=True)
"""The features of code that has not been analysed, which may use memory."""


def code_features(program: Program, target: Target, grf_count: int) -> CodeFeatures:
    """Returns the features of a kernel that has `grf_count` registers a thread."""
    instructions = program.instructions
    reaching = [i for i in instructions if _is_global(i)]
    writing = [i for i in reaching if i.spec.access in (MemoryAccessKind.STORE, MemoryAccessKind.ATOMIC)]
    spinning = spinning_edges(program, lambda i: footprint(i, target, grf_count, None), target.platform.grf_bytes)
    return CodeFeatures(
        has_dpas=any(i.spec.is_matrix_product for i in instructions),
        has_sample=any(i.spec.sampler for i in instructions),
        has_global_atomics=any(i.spec.access is MemoryAccessKind.ATOMIC for i in writing),
        reaches_global=any(i.spec.access is not MemoryAccessKind.PREFETCH for i in reaching),
        writes_global=bool(writing),
        fences_images=any(i.fence is not None and i.fence.unit is Unit.TYPED for i in instructions),
        overrides_l1=any(_overrides_l1(i) for i in writing),
        waits_for_others=bool(spinning),
    )


def _is_global(instruction: Instruction) -> bool:
    message = instruction.message
    return message is not None and message.unit is Unit.UGM and message.model is AddressModel.FLAT


def _overrides_l1(instruction: Instruction) -> bool:
    message = instruction.message
    return (
        instruction.spec.access is MemoryAccessKind.STORE
        and message is not None
        and message.cache is not CacheControl.DEFAULT
    )
