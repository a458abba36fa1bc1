"""Lowers one kernel: blocks, block arguments and values; the operations themselves are in the sibling modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NoReturn

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, UnrankedMemRefType, VectorType
from xdsl.dialects.llvm import LLVMArrayType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.utils.hints import isa

from passes.analysis.accessed_pointers import accessed_pointers
from passes.analysis.divisibility import Factors, known_factors
from passes.analysis.facts import divergent_values, surface_legality
from passes.analysis.limits import LargestValues
from passes.analysis.pointer_spaces import generic_spaces, pointer_spaces
from passes.analysis.uniform_ids import missing_size_hint
from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.values import (
    BlockDescriptor1D,
    BlockDescriptor2D,
    Elements,
    LaneDescriptor,
    LoweredValues,
    MemRef,
    Number,
    Structure,
    UniformConstant,
    UnrankedMemRef,
    Value,
    near,
)
from passes.kernel.memories import SHARED, MessageMemory, memory_space, space_number
from passes.kernel.register_types import BOOLEAN, element_count, element_type, memory_type
from passes.kernel.resources import find_resources
from passes.kernel.signature import Signature, build_signature
from passes.kernel.unranked import check_unranked
from passes.support.control_flow import reverse_post_order
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.llvm import field_offsets
from xegpu.dialects.upstream.memref import memref_strides
from xegpu.dialects.xe import BranchOp, GRFType, KernelOp
from xegpu.dialects.xegpu import MemorySpace, TensorDescType
from xegpu.isa.model import DataType
from xegpu.targets import Target

SumKey = tuple[SSAValue | None, tuple[tuple[SSAValue, int], ...], int, DataType, bool]
"""A pointer (None: 0), indices with the bytes that each counts in, a distance in bytes, the type of the address, and
whether the sum is that of the first lane only."""
Handler = Callable[["KernelLowering", Operation], None]
HANDLERS: dict[str, Handler] = {}
"""The lowerings by operation name; filled by `lowers`."""


def lowers(*names: str) -> Callable[[Handler], Handler]:
    """Registers a function as the lowering of the operations called `names`."""

    def register(handler: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(names, handler))
        return handler

    return register


class KernelLowering:
    """State of lowering one `gpu.func`. `lanes` is 1 in subgroup mode, `texts` holds those that the kernel prints.

    `strides` are the accesses that all lanes make at equal distances, with those in bytes.
    """

    def __init__(self, function: FuncOp, target: Target, texts: Sequence[str], strides: Mapping[Operation, int]):
        self.function = function
        self.texts = texts
        self.strides = strides
        self.target = target
        body = function.body
        self.signature: Signature = build_signature(function, target)
        self.lanes = self.signature.facts.simd_size
        self.resources = find_resources(function, self.lanes, target)
        self.divergent = divergent_values(body, self.lanes, self.resources.private)
        self.spaces = pointer_spaces(body)
        self.unknown_spaces = generic_spaces(body)
        self.values = LoweredValues(self.lanes, self.divergent)
        self.accessed_pointers = accessed_pointers(body)
        self.limits = LargestValues(target.platform.max_group_items)
        self.sums: dict[SumKey, Number] = {}
        """The addresses that have been computed in the current block."""
        self.blocks: list[Block] = []
        self._targets: dict[Block, Block] = {}
        self.emit = XeEmitter(target, Block())

    @cached_property
    def factors(self) -> Factors:
        """The powers of two that divide the values of the kernel."""
        return known_factors(self.function.body)

    @cached_property
    def legality(self) -> Mapping[SSAValue, bool | None]:
        """Tells whether block-2D messages can serve the surface of each descriptor."""
        return surface_legality(self.function.body, self.factors, self.target.platform.block2d)

    # Kernel ----------------------------------------------------------------------------------------------------------

    def run(self) -> KernelOp:
        """The kernel as an `xe.kernel`."""
        body = self.function.body
        order = reverse_post_order(body)
        for block in order[1:]:
            types = [type for argument in block.args for type in self._argument_types(argument)]
            self._targets[block] = Block(arg_types=types)
        self._enter_kernel(order[0])
        for position, block in enumerate(order):
            if position:
                self.open(self._targets[block])
                self._bind_arguments(block)
            for op in block.ops:
                self.emit.location = op.location
                handler = HANDLERS.get(op.name)
                if handler is None:
                    self.refuse(op, "is not supported in a kernel")
                check_unranked(op)
                self._check_sizes(op)
                handler(self, op)
        facts = replace(
            self.signature.facts,
            barrier_count=self.resources.barrier_count,
            slm_size=self.resources.slm_size,
            private_size=self.resources.private_size,
            printf_strings=tuple(self.texts),
        )
        kernel = KernelOp(self.function.sym_name.data, self.target.name, facts, Region(self.blocks))
        kernel.location = self.function.location
        return kernel

    def _lower(self, op: Operation) -> None:
        self.emit.location = op.location
        handler = HANDLERS.get(op.name)
        if handler is None:
            self.refuse(op, "is not supported in a kernel")
        self._check_sizes(op)
        handler(self, op)

    def lower_nested(self, block: Block) -> None:
        """Lowers the operations of a block that another operation holds, except for the last one.

        The values of the block's arguments are set before; lowering the same block again, for other values, is fine.
        """
        self.sums.clear()
        for op in block.ops:
            if op is not block.last_op:
                self._lower(op)
        self.sums.clear()

    def _enter_kernel(self, entry: Block) -> None:
        """Gives the entry block the registers of the thread payload and binds the kernel's arguments to them."""
        register = self.target.platform.grf_bytes
        signature = self.signature
        local_ids = signature.facts.local_id_bytes(self.target)
        payload = signature.facts.cross_thread_size
        size = register + local_ids + payload
        if size > self.file_bytes:
            raise CompileError(
                self.function, f"takes arguments of {payload} bytes: {self.target.name} has {self.file_bytes}"
            )
        types = [GRFType(register, register, 0)]
        if local_ids:
            types.append(GRFType(local_ids, register, register))
        if payload:
            size = -(-payload // register) * register
            types.append(GRFType(size, register, register + local_ids))
        block = Block(arg_types=types)
        self.open(block)
        self.header = block.args[0]
        self.local_ids = block.args[1] if local_ids else None
        self.payload = block.args[-1] if payload else None
        for argument, slots in zip(self.function.arguments, signature.slots, strict=True):
            self.values[argument] = self.argument_value(argument.type, slots.first, slots.parts)
        for argument in entry.args[len(signature.slots) :]:
            self.values[argument] = self.allocated(argument)

    def payload_scalar(self, offset: int, type: DataType) -> Elements:
        """One element of the cross-thread payload."""
        assert self.payload is not None
        return Elements(self.payload, type, 1, offset)

    def _unranked(self, element: Attribute, offset: int, parts: dict[str, int]) -> UnrankedMemRef:
        """An unranked argument. Without a rank among its parts, it has as many dimensions as sizes."""
        numbers = {name: self.payload_scalar(place, DataType.UQ) for name, place in parts.items()}
        sizes, strides = (tuple(n for name, n in numbers.items() if name.startswith(k)) for k in ("size", "stride"))
        rank = numbers.get("rank", UniformConstant(DataType.UQ, len(sizes)))
        base = self.payload_scalar(offset, MessageMemory.GLOBAL.address_type)
        data_type = element_type(element)
        assert data_type is not None
        return UnrankedMemRef(base, rank, sizes, strides, data_type)

    def argument_value(self, type: Attribute, offset: int, parts: dict[str, int]) -> Value:
        if isinstance(type, UnrankedMemRefType):
            return self._unranked(type.element_type, offset, parts)
        if isinstance(type, LLVMStructType | LLVMArrayType):
            return self._structure(type, offset)
        if not isa(type, MemRefType):
            data_type = element_type(type)
            assert data_type is not None
            if data_type is BOOLEAN:
                byte = self.payload_scalar(offset, DataType.UB)
                return self.emit.alu("mov", BOOLEAN, [byte.as_type(DataType.UB)], 1, negate=[True])
            assert self.payload is not None
            if isinstance(type, LLVMPointerType) and space_number(type) == SHARED:
                # What callers size lies behind the kernel's own.
                start = self.payload_scalar(offset, data_type)
                if not self.resources.slm_size:
                    return start
                return self.emit.alu("add", data_type, [start, UniformConstant(data_type, self.resources.slm_size)], 1)
            return Elements(self.payload, data_type, element_count(type), offset)
        element = memory_type(type.element_type)
        layout = memref_strides(type)
        assert element is not None and layout is not None
        sizes: list[Number] = [
            self.payload_scalar(parts[f"size{i}"], DataType.UQ)
            if s == DYNAMIC_INDEX
            else UniformConstant(DataType.UQ, s)
            for i, s in enumerate(type.get_shape())
        ]
        strides: list[Number] = []
        for index in reversed(range(len(sizes))):
            stride = layout[0][index]
            if stride is not None:
                strides.insert(0, UniformConstant(DataType.UQ, stride))
            elif f"stride{index}" in parts:
                strides.insert(0, self.payload_scalar(parts[f"stride{index}"], DataType.UQ))
            else:
                strides.insert(0, self.multiply(strides[0], sizes[index + 1]))
        space = memory_space(type)
        assert space is not None
        base = self.payload_scalar(offset, space.address_type)
        if space is MessageMemory.SHARED:
            # What callers size lies behind the kernel's own.
            base = self.emit.scalar(self.add(base, UniformConstant(space.address_type, self.resources.slm_size)))
        if "offset" in parts:
            offset_elements = self.payload_scalar(parts["offset"], DataType.UQ)
            scaled = self.multiply(offset_elements, UniformConstant(DataType.UQ, element.size))
            base = self.emit.alu("add", space.address_type, [base, scaled], 1)
        return MemRef(base, tuple(sizes), tuple(strides), element, space)

    def _structure(self, type: LLVMStructType | LLVMArrayType, offset: int) -> Structure:
        """A structure or array that is passed by value."""
        types = list(type.types) if isinstance(type, LLVMStructType) else [type.type] * type.size.data
        layout = field_offsets(types)
        assert layout is not None
        return Structure(
            tuple(self.argument_value(field, offset + at, {}) for field, at in zip(types, layout[0], strict=True))
        )

    def allocated(self, value: SSAValue) -> MemRef:
        """A buffer that has its place in shared or private memory since the kernel was compiled."""
        type = value.type
        assert isa(type, MemRefType)
        layout, element = memref_strides(type), memory_type(type.element_type)
        assert layout is not None and layout[1] is not None and element is not None
        place = self.resources.places[value]
        start = place.offset + layout[1] * self.element_step(place.space, element)
        base = self.emit.scalar(UniformConstant(place.space.address_type, start))
        return self.static_memref(type, base, place.space)

    def static_memref(self, type: MemRefType[Attribute], base: Elements, space: MessageMemory) -> MemRef:
        """A buffer of which only the address of the first element is not in the type."""
        layout, element = memref_strides(type), memory_type(type.element_type)
        assert layout is not None and element is not None
        sizes = tuple(UniformConstant(DataType.UQ, size) for size in type.get_shape())
        strides = tuple(UniformConstant(DataType.UQ, stride) for stride in layout[0] if stride is not None)
        return MemRef(base, sizes, strides, element, space)

    def element_step(self, space: MessageMemory, element: DataType) -> int:
        """Bytes from an element to the next one: the work-items of a thread share its private memory."""
        return element.size * (self.lanes if space is MessageMemory.PRIVATE else 1)

    # Blocks and their arguments --------------------------------------------------------------------------------------

    def open(self, block: Block) -> None:
        """Continues in a block."""
        self.blocks.append(block)
        self.emit.block = block
        self.sums.clear()

    def jump(self, block: Block, operands: Sequence[SSAValue]) -> None:
        """Ends the current block with a branch to the lowered form of an MLIR block."""
        target, registers = self.edge(block, operands)
        self.emit.add(BranchOp(target, registers))

    def target_of(self, block: Block) -> Block:
        """The lowered form of an MLIR block."""
        target = self._targets.get(block)
        if target is None:
            raise CompileError(self.function, "a branch back to the entry block is not supported")
        return target

    def edge(self, block: Block, operands: Sequence[SSAValue]) -> tuple[Block, list[SSAValue]]:
        """The lowered form of an MLIR block, and the registers that carry values to its arguments."""
        registers: list[SSAValue] = []
        for argument, operand in zip(block.args, operands, strict=True):
            registers += self._flatten(argument, self.values[operand])
        return self.target_of(block), registers

    def landing(self, block: Block, operands: Sequence[SSAValue]) -> Block:
        """A block without arguments that leads to an MLIR block, for a conditional branch to go to."""
        if not operands:
            return self._targets[block]
        current = self.emit.block
        bridge = Block()
        self.open(bridge)
        self.jump(block, operands)
        self.emit.block = current
        return bridge

    def _lanes_of(self, value: SSAValue) -> int:
        return self.lanes if value in self.divergent else 1

    def _argument_types(self, argument: BlockArgument) -> list[GRFType]:
        """Register blocks that a block argument becomes."""
        type, register_type = argument.type, self.emit.register_type
        if isinstance(type, TensorDescType):
            address_size = _described(type).address_size.size
            if type.is_scattered:
                return [register_type(type.get_shape()[0] * address_size, self.target.platform.grf_bytes)]
            if len(type.get_shape()) == 1:
                return [register_type(address_size)]
            legality = self.legality[argument]
            return [register_type(self.target.platform.grf_bytes)] + ([register_type(2)] if legality is None else [])
        if isa(type, MemRefType):
            return [register_type(_space(type).address_size.size), *[register_type(8)] * len(self._dynamic_parts(type))]
        data_type = element_type(type)
        if data_type is None:
            raise CompileError(self.function, f"a block argument of type {type} is not supported")
        return [register_type(element_count(type) * self._lanes_of(argument) * data_type.size)]

    def _dynamic_parts(self, type: MemRefType[Attribute]) -> list[tuple[str, int]]:
        layout = memref_strides(type)
        if layout is None:
            raise CompileError(self.function, f"a memref of type {type} is not supported")
        parts = [("size", i) for i, size in enumerate(type.get_shape()) if size == DYNAMIC_INDEX]
        return parts + [("stride", i) for i, stride in enumerate(layout[0]) if stride is None]

    def _bind_arguments(self, block: Block) -> None:
        registers = list(self._targets[block].args)
        for argument in block.args:
            count = len(self._argument_types(argument))
            self.values[argument] = self._rebuild(argument, registers[:count])
            del registers[:count]

    def _rebuild(self, argument: BlockArgument, registers: Sequence[SSAValue]) -> Value:
        type = argument.type
        if isinstance(type, TensorDescType):
            space = _described(type)
            if type.is_scattered:
                return LaneDescriptor(Elements(registers[0], space.address_type, type.get_shape()[0]), space)
            if len(type.get_shape()) == 1:
                return BlockDescriptor1D(Elements(registers[0], space.address_type, 1), space)
            legality = self.legality[argument]
            return BlockDescriptor2D(registers[0], Elements(registers[1], BOOLEAN, 1) if legality is None else legality)
        if isa(type, MemRefType):
            parts = dict(zip(self._dynamic_parts(type), registers[1:], strict=True))
            layout, element = memref_strides(type), memory_type(type.element_type)
            assert layout is not None and element is not None

            def part(kind: str, index: int, static: int | None) -> Number:
                if static is not None:
                    return UniformConstant(DataType.UQ, static)
                return Elements(parts[kind, index], DataType.UQ, 1)

            sizes = [part("size", i, None if s == DYNAMIC_INDEX else s) for i, s in enumerate(type.get_shape())]
            strides = [part("stride", i, s) for i, s in enumerate(layout[0])]
            space = _space(type)
            base = Elements(registers[0], space.address_type, 1)
            return MemRef(base, tuple(sizes), tuple(strides), element, space)
        data_type = element_type(type)
        assert data_type is not None
        lanes = self._lanes_of(argument)
        return Elements(registers[0], data_type, element_count(type) * lanes, 0, lanes)

    def _flatten(self, argument: BlockArgument, value: Value) -> list[SSAValue]:
        """The registers that carry a value to a block argument."""
        types = self._argument_types(argument)
        match value:
            case BlockDescriptor1D(address):
                return [self._whole(address, 1, types[0])]
            case LaneDescriptor(addresses):
                return [self._whole(addresses, addresses.count, types[0])]
            case BlockDescriptor2D(payload, legal):
                if self.legality[argument] is not None:
                    return [payload]
                flag: Number = legal if isinstance(legal, Elements) else UniformConstant(BOOLEAN, -1 if legal else 0)
                return [payload, self._whole(flag, 1, types[1])]
            case MemRef(base, sizes, strides, _, space):
                assert isa(argument.type, MemRefType)
                if space is not _space(argument.type):
                    raise CompileError(self.function, f"private memory as a block argument of type {argument.type}")
                sources = {"size": sizes, "stride": strides}
                parts = [sources[kind][index] for kind, index in self._dynamic_parts(argument.type)]
                return [self._whole(p, 1, t) for p, t in zip((base, *parts), types, strict=True)]
            case UnrankedMemRef() | Structure():
                raise CompileError(self.function, f"a block argument of type {argument.type} is not supported")
            case UniformConstant() | Elements():
                data_type = element_type(argument.type)
                assert data_type is not None
                lanes = self._lanes_of(argument)
                value = self.by_channel(value, argument.type, lanes)
                return [self._whole(value, element_count(argument.type) * lanes, types[0])]

    def whole(self, value: Elements) -> SSAValue:
        """A register block of its own size that holds a divergent value and nothing else."""
        assert value.lanes == self.lanes
        return self._whole(value, value.count, self.emit.register_type(value.size))

    def _whole(self, value: Number, count: int, type: GRFType) -> SSAValue:
        """A register block of exactly `type` that holds the value from its first byte on."""
        if isinstance(value, Elements) and value.offset == 0 and value.count == count and value.register.type == type:
            return value.register
        return self.emit.alu("mov", value.type, [value], count).register

    # Values ----------------------------------------------------------------------------------------------------------

    def number(self, value: SSAValue) -> Number:
        """The lowered scalar or vector."""
        lowered = self.values[value]
        assert isinstance(lowered, UniformConstant | Elements)
        return lowered

    def uniform(self, op: Operation, value: SSAValue) -> Number:
        """A number that must be the same in all lanes; refuses the operation otherwise."""
        number = self.number(value)
        if isinstance(number, Elements) and number.lanes > 1:
            hint = missing_size_hint(value, self.lanes)
            self.refuse(op, f"needs an operand that is the same in all work-items of a subgroup{hint}")
        return number

    def in_registers(self, value: Number, type: Attribute, lanes: int) -> Elements:
        """A value of a type as its elements, once or for each of the kernel's lanes."""
        if isinstance(value, Elements) and value.lanes == lanes:
            return value
        assert isinstance(value, UniformConstant) or value.lanes < lanes
        if lanes == 1:
            return self.emit.alu("mov", value.type, [value], element_count(type))
        return self._spread(value, type)

    def in_lanes(self, value: Number, type: Attribute, lanes: int) -> Number:
        """Returns the value as `in_registers` does, except that a constant stays one."""
        return value if isinstance(value, UniformConstant) else self.in_registers(value, type, lanes)

    def by_channel(self, value: Number, type: Attribute, lanes: int) -> Number:
        """Returns the value as `in_lanes` does, except that a uniform scalar stays one: all channels can read it."""
        scalar = isinstance(value, Elements) and value.count == 1
        return value if scalar else self.in_lanes(value, type, lanes)

    def operand(self, op: Operation, value: SSAValue, lanes: int) -> Elements:
        """The value as `in_registers`; refuses the operation if it needs one value and lanes have several."""
        return self.in_registers(self.uniform(op, value) if lanes == 1 else self.number(value), value.type, lanes)

    def _spread(self, value: Number, type: Attribute) -> Elements:
        """A uniform value as a divergent one: element [f][e] is repeated for every lane."""
        if isinstance(value, UniformConstant):
            count = element_count(type) * self.lanes
            spread = self.emit.alu("mov", value.type, [value], count)
        elif value.count == 1 and element_count(type) == 1:
            spread = self.emit.alu("mov", value.type, [value], self.lanes)
        else:
            inner = inner_elements(type)
            register = self.emit.undefined(value.count * self.lanes * value.type.size)
            moves = [
                ((index // inner * self.lanes + lane) * inner + index % inner, index)
                for index in range(value.count)
                for lane in range(self.lanes)
            ]
            register = self.emit.copy(register, value, moves, value.type)
            spread = Elements(register, value.type, value.count * self.lanes)
        return Elements(spread.register, spread.type, spread.count, spread.offset, self.lanes)

    def operands(self, op: Operation, values: Sequence[SSAValue]) -> tuple[list[Number], int]:
        """Operands of an elementwise operation in the same form, and their number of elements.

        When one is divergent, uniform vectors are repeated for every lane; uniform scalars are read by all channels.
        """
        numbers = [self.number(v) for v in values]
        lanes = max((n.lanes for n in numbers if isinstance(n, Elements)), default=1)
        count = element_count(op.results[0].type) * lanes
        numbers = [self.by_channel(n, v.type, lanes) for n, v in zip(numbers, values, strict=True)]
        if lanes > 1:
            numbers = [
                self.repeat(n, op.results[0].type) if isinstance(n, Elements) and 1 < n.count < count else n
                for n in numbers
            ]
        return numbers, count

    def repeat(self, value: Elements, type: Attribute) -> Elements:
        """A divergent scalar (the condition of a choice between vectors) in every element of a divergent vector."""
        count, inner = element_count(type), inner_elements(type)
        register = self.emit.undefined(count * self.lanes * value.type.size)
        moves = [
            ((index // inner * self.lanes + lane) * inner + index % inner, lane)
            for index in range(count)
            for lane in range(self.lanes)
        ]
        register = self.emit.copy(register, value, sorted(moves), value.type)
        return Elements(register, value.type, count * self.lanes, 0, self.lanes)

    @property
    def file_bytes(self) -> int:
        """Bytes of the largest register file."""
        return max(self.target.platform.grf_counts) * self.target.platform.grf_bytes

    @property
    def max_value_bytes(self) -> int:
        """Bytes of the largest value: parts of it that are not in use wait in scratch space."""
        return self.target.platform.max_scratch_bytes

    def check_size(self, op: Operation, type: Attribute, lanes: int = 1) -> None:
        """Refuses an operation with a vector that registers and scratch space cannot hold, before time is spent."""
        data_type = element_type(type)
        size = 0 if data_type is None else element_count(type) * data_type.size * lanes
        if size > self.max_value_bytes:
            each = f" in each of {lanes} work-items" if lanes > 1 else ""
            self.refuse(
                op,
                f"needs {size} bytes for {type}{each}: a thread of {self.target.name} has "
                f"{self.max_value_bytes} besides its registers; use smaller vectors",
            )

    def _check_sizes(self, op: Operation) -> None:
        """`check_size` for all vectors that an operation may need registers for; scalars are never too large."""
        for result in op.results:
            if type(result.type) is VectorType and op.name != "arith.constant":
                self.check_size(op, result.type, self._lanes_of(result))
        for operand in op.operands:
            if type(operand.type) is not VectorType:
                continue
            # The results of operations have been checked there, but for constants, which may need no registers.
            if isinstance(operand, OpResult) and operand.op.name != "arith.constant":
                continue
            if not (op.name.startswith("vector.") and isinstance(self.values[operand], UniformConstant)):
                self.check_size(op, operand.type, self._lanes_of(operand))

    def refuse(self, op: Operation, reason: str) -> NoReturn:
        """Ends compilation with an error at the operation."""
        raise CompileError(op, reason)

    # Index arithmetic on uniform scalars -----------------------------------------------------------------------------

    def add(self, a: Number, b: Number) -> Number:
        """A + b of 64-bit scalars, folded when both are constants."""
        return self._arithmetic("add", a, b, lambda x, y: x + y, identity=0)

    def multiply(self, a: Number, b: Number) -> Number:
        """A * b of 64-bit scalars, folded when both are constants."""
        return self._arithmetic("mul", a, b, lambda x, y: x * y, identity=1)

    def distance(self, distance: Number, address: DataType) -> Number:
        """Returns a distance in bytes, of 64 bits, for adding to addresses of a type.

        To addresses of 32 bits, which shared local and scratch memory have, it is clamped: these memories are small, so
        that an address that is far outside of them stays outside, and does not wrap around into them.
        """
        if isinstance(distance, UniformConstant):
            return UniformConstant(address, int(distance.value) if address.bits == 64 else near(int(distance.value)))
        if address.bits == 64 or distance.type.bits <= 32:
            return distance
        return self.emit.alu("mov", DataType.D, [distance.as_type(DataType.Q)], distance.count, saturate=True)

    def _arithmetic(
        self, mnemonic: str, a: Number, b: Number, fold: Callable[[int, int], int], identity: int
    ) -> Number:
        if isinstance(a, UniformConstant) and isinstance(b, UniformConstant):
            return UniformConstant(a.type, fold(int(a.value), int(b.value)))
        if isinstance(b, UniformConstant) and b.value == identity:
            return a
        if isinstance(a, UniformConstant) and a.value == identity:
            return b
        return self.emit.alu(mnemonic, DataType.UQ, [a, b], 1)


def _described(type: TensorDescType) -> MessageMemory:
    return MessageMemory.GLOBAL if type.memory_space is MemorySpace.GLOBAL else MessageMemory.SHARED


def _space(type: MemRefType[Attribute]) -> MessageMemory:
    space = memory_space(type)
    assert space is not None
    return space


def inner_elements(type: Attribute) -> int:
    """Elements of a lane's box: the innermost dimension of a fragment."""
    return int(type.get_shape()[-1]) if isinstance(type, VectorType) and len(type.get_shape()) > 1 else 1
