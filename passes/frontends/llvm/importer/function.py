"""Imports the body of a kernel: blocks, values, and constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import AnyFloat, IntAttr, IntegerType, VectorType
from xdsl.dialects.llvm import AddressOfOp, GlobalOp, IntToPtrOp, LLVMArrayType, LLVMPointerType, PtrToIntOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from passes.frontends.llvm.importer.builder import MOST_BITS, Builder
from passes.frontends.llvm.importer.layout import MOST_LEAVES, leaf_count, leaves, pointer_distance
from passes.frontends.llvm.reader import (
    Block as LLVMBlock,
    Constant,
    Expression,
    Function,
    Global,
    Instruction,
    Labels,
    Local,
    Module,
    Source,
    Undefined,
    Value,
)
from xegpu.dialects.upstream.llvm import AddrSpaceCastOp

Parts = tuple[SSAValue, ...]
"""The scalars, vectors and pointers that a value consists of: one, unless it is an array or a structure."""
Handler = Callable[["FunctionImporter", Instruction], Parts | None]
SHARED = 3
"""The address space of work-group memory."""
HANDLERS: dict[str, Handler] = {}
"""The importers of instructions, by opcode; filled by `imports`. A handler returns the parts of the result."""


def imports(*opcodes: str) -> Callable[[Handler], Handler]:
    """Registers a function as the importer of instructions."""

    def register(handler: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(opcodes, handler))
        return handler

    return register


class FunctionImporter:
    """State of importing one kernel. `module` is the kernel's module, `lanes` its subgroup size."""

    def __init__(self, module: Module, function: Function, region: Region, lanes: int):
        self.module = module
        self.function = function
        self.lanes = lanes
        self.builder = Builder(region.blocks[0])
        self.values: dict[str, Parts] = {}
        self.elements: dict[SSAValue, dict[int, SSAValue]] = {}
        """The elements of vectors that are put together of scalars, by their places."""
        self.shared: dict[str, GlobalOp] = {}
        """Work-group memory that functions need beside that of the module."""
        self.reserved = 0
        """The bytes at the start of work-group memory that the kernel accesses at addresses which are numbers."""
        self._region = region
        self._blocks: dict[str, Block] = {}
        self._phis: dict[str, list[Instruction]] = {}

    def run(self) -> None:
        """Imports all blocks that can be reached; values of parameters are set before."""
        order = _reverse_post_order(self.function)
        self._blocks[order[0].label] = self._region.blocks[0]
        for block in order[1:]:
            self._blocks[block.label] = Block()
            self._region.add_block(self._blocks[block.label])
        for block in order:
            self._declare_phis(block)
        for position, block in enumerate(order):
            if position:
                self.builder.block = self._blocks[block.label]
            for instruction in block.instructions:
                if instruction.opcode != "phi":
                    self._import(block, instruction)
        self._drop_steps()

    def _drop_steps(self) -> None:
        """Drops vectors that lack elements, where those with all elements are put together of scalars."""
        for vector in reversed(self.elements):
            if isinstance(vector.owner, Operation) and not vector.uses:
                Rewriter.erase_op(vector.owner)

    def _declare_phis(self, block: LLVMBlock) -> None:
        phis = [i for i in block.instructions if i.opcode == "phi"]
        self._phis[block.label] = phis
        target = self._blocks[block.label]
        for phi in phis:
            self.builder.location = phi.statement.location
            assert phi.result is not None
            types = self._leaf_types(phi.type)
            self.values[phi.result] = tuple(target.insert_arg(type, len(target.args)) for type in types)

    def _import(self, block: LLVMBlock, instruction: Instruction) -> None:
        self.builder.location = instruction.statement.location
        self.current = block.label
        handler = HANDLERS.get(instruction.opcode)
        if handler is None:
            self.builder.error(f"is the instruction '{instruction.opcode}', which is not supported in a kernel")
        parts = handler(self, instruction)
        if instruction.result is not None:
            if parts is None:
                self.builder.error(f"gives no value for {instruction.result}")
            self.values[instruction.result] = parts

    # Control flow

    def target(self, label: str) -> Block:
        """Returns a block of the kernel by its label."""
        found = self._blocks.get(label)
        if found is None:
            self.builder.error(f"names block {label}, which does not exist")
        return found

    def edge(self, label: str) -> tuple[Block, list[SSAValue]]:
        """Returns a block, and the values that the current block passes to its arguments."""
        passed: list[SSAValue] = []
        for phi in self._phis.get(label, []):
            assert isinstance(phi.detail, Labels)
            if self.current not in phi.detail.names:
                self.builder.error(f"branches to {label}, whose {phi.result} has no value for block {self.current}")
            passed += self.parts(phi.operands[phi.detail.names.index(self.current)])
        return self.target(label), passed

    # Values

    def value(self, value: Value) -> SSAValue:
        """Returns a scalar, vector or pointer."""
        parts = self.parts(value)
        if len(parts) != 1:
            self.builder.error(f"has an operand of type {value.type}, which is not supported here")
        return parts[0]

    def parts(self, value: Value) -> Parts:
        """Returns the parts of a value."""
        match value:
            case Local(_, name):
                found = self.values.get(name)
                if found is None:
                    self.builder.error(f"uses {name}, which is not defined")
                return found
            case Global(type, name):
                return (self._address(type, name),)
            case Undefined(type):
                return tuple(self.builder.zero(leaf) for leaf in self._leaf_types(type))
            case Expression():
                return (self._expression(value),)
            case Constant(type, number):
                return self._constant(type, number)

    def _constant(self, type: Attribute, value: int | float | bytes | tuple[Value, ...] | None) -> Parts:
        if value is None:
            return tuple(self.builder.zero(leaf) for leaf in self._leaf_types(type))
        if isinstance(value, bytes):
            return tuple(self.builder.constant(IntegerType(8), byte) for byte in value)
        if not isinstance(value, tuple):
            return (self.builder.constant(type, value),)
        if not isinstance(type, VectorType):
            return tuple(part for element in value for part in self.parts(element))
        numbers = [e.value if isinstance(e, Constant) and isinstance(e.value, int | float) else 0 for e in value]
        return (self.builder.constant(type, numbers),)

    def _address(self, type: Attribute, name: str) -> SSAValue:
        if name[1:].strip('"') not in self.module.variables:
            self.builder.error(f"names {name}, which is no variable of the module")
        if not isinstance(type, LLVMPointerType):
            self.builder.error(f"uses {name} as a value of type {type}: it is a pointer")
        return self.builder.add(AddressOfOp(name[1:].strip('"'), type))

    def _expression(self, value: Expression) -> SSAValue:
        first = self.value(value.operands[0])
        match value.opcode:
            case "getelementptr":
                assert value.source is not None
                return self.element_pointer(first, value.source, value.operands[1:])
            case "addrspacecast":
                return self.builder.add(AddrSpaceCastOp(operands=[first], result_types=[value.type]))
            case "bitcast":
                return first
            case "ptrtoint" | "ptrtoaddr":
                return self.builder.add(PtrToIntOp(first, value.type))
            case "inttoptr":
                return self.builder.add(IntToPtrOp.create(operands=[first], result_types=[value.type]))
            case _:
                self.builder.error(f"has a constant expression '{value.opcode}', which is not supported in a kernel")

    def _leaf_types(self, type: Attribute) -> Sequence[Attribute]:
        if leaf_count(type) > MOST_LEAVES:
            self.builder.error(f"computes with a value of type {type}, which consists of more than {MOST_LEAVES} parts")
        types = [leaf for leaf, _ in leaves(type)]
        for leaf in types:
            self.check(leaf)
        return types

    def check(self, type: Attribute) -> None:
        """Refuses types that kernels do not compute with."""
        element = type.get_element_type() if isinstance(type, VectorType) else type
        if isinstance(element, IntegerType) and element.width.data > MOST_BITS:
            self.builder.error(f"computes with {element}: kernels have integers of at most {MOST_BITS} bits")
        if not isinstance(element, IntegerType | AnyFloat | LLVMPointerType):
            self.builder.error(f"computes with type {type}, which is not supported in a kernel")

    # Addresses

    def shared_memory(self, name: str, size: int) -> SSAValue:
        """Returns a pointer to work-group memory of a function; all of its calls share it."""
        symbol = f"{self.function.name}.{name}"
        if symbol not in self.shared:
            self.shared[symbol] = GlobalOp(
                LLVMArrayType(IntAttr(size), IntegerType(8)), symbol, "internal", SHARED, constant=False, alignment=8
            )
            self.shared[symbol].location = self.builder.location
        return self.builder.add(AddressOfOp(symbol, LLVMPointerType(IntAttr(SHARED))))

    def element_pointer(
        self, pointer: SSAValue, source: Attribute, indices: Sequence[Value], *, inbounds: bool = False
    ) -> SSAValue:
        """Returns the pointer that a `getelementptr` computes: constant distances are added up."""
        distance, dynamic = pointer_distance(source, indices, self.builder.error)
        for index, size in dynamic:
            pointer = self.builder.element(pointer, self.value(index), size, inbounds=inbounds)
        return self.builder.offset(pointer, distance)


def source_type(instruction: Instruction) -> Attribute:
    """Returns the type that a `getelementptr` counts in, or that an `alloca` allocates."""
    assert isinstance(instruction.detail, Source)
    return instruction.detail.type


def _reverse_post_order(function: Function) -> list[LLVMBlock]:
    """Returns the blocks that can be reached, each before those that it dominates."""
    blocks = {block.label: block for block in function.blocks}
    done: list[LLVMBlock] = []
    seen = {function.blocks[0].label}
    stack = [(function.blocks[0], iter(_successors(function.blocks[0])))]
    while stack:
        block, successors = stack[-1]
        label = next(successors, None)
        if label is None:
            done.append(block)
            stack.pop()
        elif label not in seen and label in blocks:
            seen.add(label)
            stack.append((blocks[label], iter(_successors(blocks[label]))))
    return done[::-1]


def _successors(block: LLVMBlock) -> Sequence[str]:
    last = block.instructions[-1] if block.instructions else None
    return last.detail.names if last is not None and isinstance(last.detail, Labels) else ()
