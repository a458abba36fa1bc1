"""Lowers one kernel: the operations themselves are in the rooms beside this one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NoReturn

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from passes.analysis.accessed_pointers import accessed_pointers
from passes.analysis.divergence import divergent_values
from passes.analysis.integers import IntegerFacts, LaunchShape
from passes.analysis.pointer_spaces import generic_spaces, pointer_spaces
from passes.analysis.surfaces import surface_legality
from passes.convert_xegpu_to_xe.lowering.blocks import KernelBlocks
from passes.convert_xegpu_to_xe.lowering.conversions import LaneConversions
from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.forms import MemRefForm, argument_form
from passes.convert_xegpu_to_xe.lowering.index import UniformArithmetic
from passes.convert_xegpu_to_xe.lowering.payload import ThreadPayload
from passes.convert_xegpu_to_xe.lowering.size_hint import missing_size_hint
from passes.convert_xegpu_to_xe.lowering.sizes import ValueSizes
from passes.convert_xegpu_to_xe.lowering.values import Elements, LoweredValues, MemRef, Number, UniformConstant
from passes.kernel.memories import MessageMemory
from passes.kernel.register_types import element_count
from passes.kernel.resources import find_resources
from passes.kernel.signature import build_signature
from passes.kernel.unranked import check_unranked
from passes.support.control_flow import reverse_post_order
from passes.support.op_table import OpTable
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.memref import memref_strides
from xegpu.dialects.xe import KernelOp
from xegpu.isa.model import DataType
from xegpu.targets import Target


class KernelLowering:
    """Lowers one `gpu.func`.

    Attributes:
        function: The kernel.
        target: The GPU.
        texts: The texts that the kernel prints.
        strides: The accesses that all lanes make at equal distances, with those in bytes.
        common: The allocations of which all lanes share one.
        signature: The interface of the kernel.
        lanes: The work-items of a thread; 1 in subgroup mode.
        resources: The memory and the barriers that the kernel uses.
        facts: Knows what divides integers and descriptors, and their bounds.
        values: The lowered values.
        emit: Emits instructions.
        index: Emits arithmetic on indexes.
        conversions: Converts numbers between their forms.
        blocks: The lowered blocks.
        sizes: Refuses values that are too large.
        payload: The registers that the kernel starts with.

    """

    def __init__(
        self,
        function: FuncOp,
        target: Target,
        texts: Sequence[str],
        strides: Mapping[Operation, int],
        common: frozenset[SSAValue],
    ):
        self.function = function
        self.target = target
        self.texts = texts
        self.strides = strides
        self.common = common
        body = function.body
        self.signature = build_signature(function, target)
        self.lanes = self.signature.facts.simd_size
        self.resources = find_resources(function, self.lanes, target, common)
        self.divergent = divergent_values(body, self.lanes, self.resources.private, common)
        self.spaces = pointer_spaces(body)
        self.unknown_spaces = generic_spaces(body)
        self.accessed_pointers = accessed_pointers(body)
        self.facts = IntegerFacts(LaunchShape.of(function, self.lanes, target), frozenset(self.divergent))
        self.values = LoweredValues(self.lanes, self.divergent)
        self.emit = XeEmitter(target, Block())
        self.index = UniformArithmetic(self.emit)
        self.conversions = LaneConversions(self.emit, self.lanes)
        self.blocks = KernelBlocks(function, self.values, self.conversions, lambda value: self.legality[value])
        self.sizes = ValueSizes(target, self.values)
        self.payload = ThreadPayload(function, self.signature.facts, self.emit, self.resources.slm_size)

    @cached_property
    def legality(self) -> Mapping[SSAValue, bool | None]:
        """Tells whether block-2D messages can serve the surface of each descriptor."""
        return surface_legality(self.function.body, self.facts, self.target.platform.block2d)

    def run(self) -> KernelOp:
        """Returns the kernel as an `xe.kernel`."""
        entry, *others = reverse_post_order(self.function.body)
        for block in others:
            self.blocks.declare(block)
        self.blocks.open(self.payload.block)
        self._bind_arguments(entry)
        self._lower_all(entry.ops)
        for block in others:
            self.blocks.enter(block)
            self._lower_all(block.ops)
        facts = replace(
            self.signature.facts,
            barrier_count=self.resources.barrier_count,
            slm_size=self.resources.slm_size,
            private_size=self.resources.private_size,
            printf_strings=tuple(self.texts),
        )
        kernel = KernelOp(self.function.sym_name.data, self.target.name, facts, Region(self.blocks.opened))
        kernel.location = self.function.location
        return kernel

    def _bind_arguments(self, entry: Block) -> None:
        """Gives the kernel's arguments their values in the payload, and its buffers their places."""
        for argument, slots in zip(self.function.arguments, self.signature.slots, strict=True):
            self.values[argument] = argument_form(argument.type).from_payload(self.payload, slots)
        for argument in entry.args[len(self.signature.slots) :]:
            self.values[argument] = self.allocated(argument)

    def _lower_all(self, operations: Iterable[Operation]) -> None:
        for op in operations:
            self.emit.location = op.location
            handler = LOWERINGS.get(op)
            if handler is None:
                self.refuse(op, "is not supported in a kernel")
            check_unranked(op)
            self.sizes.check_operation(op)
            handler(self, op)

    def lower_nested(self, block: Block) -> None:
        """Lowers the operations of a block that another operation holds, except for the last one.

        The values of the block's arguments are set before; lowering the same block again, for other values, is fine.
        """
        self.blocks.sums.clear()
        self._lower_all(list(block.ops)[:-1])
        self.blocks.sums.clear()

    def refuse(self, op: Operation, reason: str) -> NoReturn:
        """Ends compilation with an error at the operation."""
        raise CompileError(op, reason)

    # Operands --------------------------------------------------------------------------------------------------------

    def number(self, value: SSAValue) -> Number:
        """Returns the lowered scalar or vector."""
        lowered = self.values[value]
        assert isinstance(lowered, UniformConstant | Elements)
        return lowered

    def uniform(self, op: Operation, value: SSAValue) -> Number:
        """Returns a number that must be the same in all lanes; refuses the operation otherwise."""
        number = self.number(value)
        if isinstance(number, Elements) and number.lanes > 1:
            hint = missing_size_hint(value, self.function, self.lanes)
            self.refuse(op, f"needs an operand that is the same in all work-items of a subgroup{hint}")
        return number

    def operand(self, op: Operation, value: SSAValue, lanes: int) -> Elements:
        """Returns a number as elements; refuses the operation if it needs one value and lanes have several."""
        number = self.uniform(op, value) if lanes == 1 else self.number(value)
        return self.conversions.in_registers(number, value.type, lanes)

    def operands(self, op: Operation, values: Sequence[SSAValue]) -> tuple[list[Number], int]:
        """Returns operands of an elementwise operation in the same form, and their number of elements.

        When one is divergent, uniform vectors are repeated for every lane; uniform scalars are read by all channels.
        """
        numbers = [self.number(v) for v in values]
        lanes = max((n.lanes for n in numbers if isinstance(n, Elements)), default=1)
        count = element_count(op.results[0].type) * lanes
        numbers = [self.conversions.by_channel(n, v.type, lanes) for n, v in zip(numbers, values, strict=True)]
        if lanes > 1:
            numbers = [
                self.conversions.repeat(n, op.results[0].type) if isinstance(n, Elements) and 1 < n.count < count else n
                for n in numbers
            ]
        return numbers, count

    # Buffers ---------------------------------------------------------------------------------------------------------

    def allocated(self, value: SSAValue) -> MemRef:
        """Returns a buffer that has its place in shared or private memory since the kernel was compiled."""
        type, place = value.type, self.resources.places[value]
        assert isa(type, MemRefType)
        form, layout = MemRefForm.of(type, place.space), memref_strides(type)
        assert form is not None and layout is not None and layout[1] is not None
        start = place.offset + layout[1] * self.element_step(place.space, form.element)
        return form.at(self.emit.scalar(UniformConstant(place.space.address_type, start)))

    def element_step(self, space: MessageMemory, element: DataType) -> int:
        """Returns the bytes from an element to the next one: the work-items of a thread share its private memory."""
        return element.size * (self.lanes if space is MessageMemory.PRIVATE else 1)


LOWERINGS = OpTable[KernelLowering, None]()
"""The functions that lower operations. The modules of the rooms beside this one fill this table."""
lowers = LOWERINGS.register
