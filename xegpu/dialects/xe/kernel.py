"""The operation that holds a kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from xdsl.dialects.builtin import StringAttr, SymbolNameConstraint, UnitAttr
from xdsl.ir import Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.traits import IsolatedFromAbove, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.xe.kernel_facts import fact_attribute, fact_properties, facts_of, with_fact_properties
from xegpu.dialects.xe.ops.types import GRFType
from xegpu.isa.model import KernelFacts
from xegpu.targets import TARGETS, Target

_SIMD_SIZES = (1, 8, 16, 32)
_NOT_NEGATIVE = range(1 << 31)
_NUMBERS: Mapping[str, Sequence[int]] = {
    "simd_size": _SIMD_SIZES,
    "spill_size": _NOT_NEGATIVE,
    "required_subgroup_size": _SIMD_SIZES,
    "indirect_accesses": _NOT_NEGATIVE,
    "local_id_dimensions": range(4),
}
"""The values that numbers among the facts can have."""


def _numbers_on(target: Target) -> Mapping[str, Sequence[int]]:
    """Returns the values that numbers among the facts can have on a target."""
    return {
        "grf_count": target.platform.grf_counts,
        "barrier_count": range(max(target.platform.barrier_counts) + 1),
        "slm_size": range(target.platform.max_slm_bytes + 1),
        "private_size": range(target.platform.max_scratch_bytes + 1),
    }


def _list(values: Sequence[int | float]) -> str:
    return ", ".join(map(str, values))


_Extent = tuple[int, int, str]
"""Offset, size, and the name of the data there."""


def _overlaps(extents: Sequence[_Extent]) -> Iterator[tuple[_Extent, _Extent, int]]:
    """Yields neighbours that share bytes, the one that begins first in front, and the end of the bytes they share."""
    for first, second in pairwise(sorted(extents)):
        end = min(first[0] + first[1], second[0] + second[1])
        if second[0] < end:
            yield first, second, end


@irdl_op_definition
@with_fact_properties
class KernelOp(IRDLOperation):
    """A kernel. The entry block's arguments are the registers that the thread starts with, at their addresses.

    ```mlir
    xe.kernel @k attributes {arguments = [#xe.argument<"a" : "memref<4xf32>", at 0, 8 bytes,
            pointer global readonly>],
        implicit_arguments = [#xe.implicit_argument<local_size, at 12, 12 bytes>],
        local_id_dimensions = 2 : i32, simd_size = 16 : i32, target = "pvc"} {
    ^bb0(%header: !xe.grf<64, 64 at 0>, %payload: !xe.grf<64, 64 at 192>):
      xe.eot
    }
    ```

    `barrier_count`, `slm_size` (bytes per work-group) and `private_size` (bytes per thread, at the start of its scratch
    space) are the resources that the kernel uses, 0 where they are left out. Register allocation writes `grf_count` and
    `spill_size` (bytes per thread). `printf_strings` are the format strings of the kernel's `printf`s, `samplers` the
    samplers that it brings along.

    `work_group_size_hint` is the size of work-groups that the code was made for, if any size will do.
    `required_subgroup_size` is the subgroup size that the program asks for. A kernel with `ordered_subgroups` depends
    on which work-items share a subgroup; `walk_order` lists the dimensions of a work-group in the order in which
    work-items follow one another, x, y, z by default. `indirect_accesses` is the number of descriptors that are made
    of addresses loaded from memory. A `native` kernel becomes code of the hardware instead of the virtual ISA.
    """

    name = "xe.kernel"

    sym_name = prop_def(SymbolNameConstraint())
    target = prop_def(StringAttr)
    native = opt_prop_def(UnitAttr)
    body = region_def()

    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$sym_name attr-dict-with-keyword $body"

    def __init__(self, name: str, target: str, facts: KernelFacts, body: Region):
        properties = {"sym_name": StringAttr(name), "target": StringAttr(target), **fact_properties(facts)}
        super().__init__(properties=properties, regions=[body])

    @property
    def facts(self) -> KernelFacts:
        """The facts that the properties state."""
        return facts_of(self.properties)

    @property
    def is_allocated(self) -> bool:
        """True after register allocation."""
        return "grf_count" in self.properties

    def state(self, **facts: object) -> None:
        """States facts by name, also those that have their default."""
        self.properties.update({name: fact_attribute(value) for name, value in facts.items()})

    def verify_(self) -> None:
        if not self.body.blocks:
            raise VerifyException("expected a body")
        facts = self.facts
        self._verify_numbers(facts)
        for name in ("required_work_group_size", "work_group_size_hint", "known_grid_size"):
            size = getattr(facts, name)
            if size is not None and (len(size) != 3 or any(not isinstance(n, int) or n < 1 for n in size)):
                raise VerifyException(f"{name} {_list(size)}, expected three positive sizes")
        if sorted(facts.walk_order) != [0, 1, 2]:
            raise VerifyException(f"walk_order {_list(facts.walk_order)}, expected each of 0, 1, 2 once")
        self._verify_payload(facts)

    def _verify_numbers(self, facts: KernelFacts) -> None:
        """Checks the numbers that are stated: 0 in place of one that is left out is always right."""
        target = TARGETS.get(self.target.data)
        self._verify_among(facts, _NUMBERS, "")
        if target is None:
            return
        self._verify_among(facts, _numbers_on(target), f" on {target.name}")
        if facts.private_size % target.platform.grf_bytes:
            raise VerifyException(
                f"private_size {facts.private_size}, expected whole registers of {target.platform.grf_bytes} bytes"
            )

    def _verify_among(self, facts: KernelFacts, numbers: Mapping[str, Sequence[int]], where: str) -> None:
        for name, allowed in numbers.items():
            value = getattr(facts, name)
            if name not in self.properties or value in allowed:
                continue
            if allowed is _NOT_NEGATIVE:
                expected = "at least 0"
            elif isinstance(allowed, range):
                expected = f"{allowed[0]} to {allowed[-1]}"
            else:
                expected = f"one of {_list(allowed)}"
            raise VerifyException(f"{name} {value}, expected {expected}{where}")

    def _verify_payload(self, facts: KernelFacts) -> None:
        """Checks that no two arguments share bytes of the payload, and no two block arguments those of registers."""
        slots = [(s.offset, s.size, f"'{a.name}'") for a in facts.arguments for s in a.slots]
        slots += [(implicit.offset, implicit.size, implicit.kind) for implicit in facts.implicit_arguments]
        slots += [(s.offset, s.SIZE, f"sampler {index}") for index, s in enumerate(facts.samplers)]
        for offset, size, _ in slots:
            if offset < 0 or size < 1:
                raise VerifyException(f"an argument of {size} bytes at {offset} has no place in the payload")
        for (_, _, first), (second_offset, _, second), end in _overlaps(slots):
            raise VerifyException(
                f"arguments {first} and {second} share bytes {second_offset} to {end - 1} of the payload"
            )
        registers: list[_Extent] = []
        for argument in self.body.blocks[0].args:
            if not isinstance(argument.type, GRFType) or argument.type.address is None:
                raise VerifyException(f"what the thread starts with has a place, got {argument.type}")
            registers.append((argument.type.address, argument.type.size.data, f"#{argument.index}"))
        for (_, _, first), (second_offset, _, second), end in _overlaps(registers):
            raise VerifyException(
                f"block arguments {first} and {second} share bytes {second_offset} to {end - 1} of the registers"
            )


_HOLDERS = frozenset({"builtin.module", "gpu.module"})


def kernels_of(module: Operation) -> list[KernelOp]:
    """Returns the kernels in a module and the modules in it, in order, without looking at their instructions."""
    found: list[KernelOp] = []
    for region in module.regions:
        for block in region.blocks:
            for op in block.ops:
                if isinstance(op, KernelOp):
                    found.append(op)
                elif op.name in _HOLDERS:
                    found += kernels_of(op)
    return found
