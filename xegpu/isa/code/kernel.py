"""A finished kernel: its facts, its code, and the results of an analysis of the code."""

from __future__ import annotations

from xegpu.isa.code.features import UNKNOWN_CODE, CodeFeatures
from xegpu.isa.code.line_table import NO_LINES, LineTable
from xegpu.isa.model.costs import KernelCost
from xegpu.isa.model.kernel import KernelFacts
from xegpu.on_demand import dataclass


@dataclass(frozen=True)
class SymbolReference:
    """Eight bytes of code or of a variable, from `offset` on, that become the address of `symbol` when it is loaded.

    Those of a variable hold a distance in bytes, which is added to the address.
    """

    offset: int
    symbol: str


@dataclass(frozen=True)
class Variable:
    """A variable of the module that kernels address by name: its contents, and a power of two that it is aligned to.

    A `public` one can be reached by the host. `references` are the addresses in it that a loader fills in.
    """

    name: str
    data: bytes
    alignment: int
    is_constant: bool
    is_public: bool = True
    references: tuple[SymbolReference, ...] = ()


@dataclass(frozen=True)
class CompiledKernel:
    """A kernel ready to be put into a ZEBIN.

    Attributes:
        name: The kernel's name.
        facts: What the compiler states about the kernel.
        code: The header word and the encoded instructions, unpadded; of native code the instructions alone.
        entry_offset: Bytes from the start of `code` to the label `_entry`.
        features: The abilities of the machine that the code uses.
        lines: The source location of each instruction.
        cost: The estimate of the cost model, if there is one.
        references: Addresses in the code that a loader fills in.
        variables: The variables of the kernel's module.
        arguments_offset: Bytes from the start of native code to where threads start whose local ids are in registers.

    """

    name: str
    facts: KernelFacts
    code: bytes
    entry_offset: int
    features: CodeFeatures = UNKNOWN_CODE
    lines: LineTable = NO_LINES
    cost: KernelCost | None = None
    references: tuple[SymbolReference, ...] = ()
    variables: tuple[Variable, ...] = ()
    arguments_offset: int = 0
