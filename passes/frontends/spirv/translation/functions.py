"""Functions: definitions, blocks, branches and phis."""

from __future__ import annotations

from collections import Counter
from functools import partial

from passes.frontends.spirv.grammar import value_of
from passes.frontends.spirv.module import Block, Function
from passes.frontends.spirv.names import quoted
from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.translation.calls import by_value, parameter_type, prototype
from passes.frontends.spirv.translation.debug import DebugInformation
from passes.frontends.spirv.translation.memory import loadable
from passes.frontends.spirv.translation.writer import HANDLERS, FunctionWriter, ModuleWriter, handles
from passes.frontends.spirv.types import BOOL, VOID, Int, Struct


def write_function(
    module: ModuleWriter, function: Function, kernel: str | None, attachments: str = "", attributes: str = ""
) -> tuple[list[str], list[Instruction]]:
    """Returns the lines of a function, and the instruction that each comes from.

    Args:
        module: The module to which the function belongs.
        function: The function.
        kernel: The name of the entry point, or `None` to write it as a function that others call.
        attachments: Metadata of the function.
        attributes: Its attributes beside those of all kernels and functions.

    Raises:
        SpirvError: An instruction is wrong or not supported.
    """
    name = kernel or module.module.names.get(function.number) or f"f{function.number}"
    writer = FunctionWriter(module, function, module.debug.scope(function, name))
    kind = prototype(writer, function)
    if kernel is not None and kind.result is not VOID:
        raise function.head.error(f"the kernel {kernel!r} returns {kind.result.llvm}, not void")
    _switches(writer)
    _edges(writer)
    writer.hints = _hints(function, module.debug)
    # Within the entry, the parameters of kernels that are structures get values.
    signature = _signature(writer, kernel is not None)
    for block in function.blocks:
        _write_block(writer, block)
    scope = writer.scope_attachment + attachments
    head = f"define {'spir_kernel' if kernel is not None else _called(module, function)} {kind.result.llvm} "
    head += f"{quoted(kernel) if kernel is not None else module.symbol(function)}({signature}) "
    head += f"#{0 if kernel is not None else 1}{attributes}{scope} {{"
    lines = [head, "entry:", *writer.entry, f"  br label %b{function.blocks[0].number}", *writer.lines, "}"]
    sources = [function.head] * (len(writer.entry) + 3) + writer.sources + [function.head]
    return lines, sources


def _called(module: ModuleWriter, function: Function) -> str:
    """Returns linkage and calling convention of a function that others call."""
    if module.symbol(function).startswith("@.f"):
        return "internal spir_func"
    linkage = module.module.linkage(function.number)
    return f"{'linkonce_odr ' if linkage is not None and linkage.kind == 'LinkOnceODR' else ''}spir_func"


def _signature(writer: FunctionWriter, kernel: bool) -> str:
    """Returns the parameters. A structure that a kernel takes as a value is passed like those that are pointers."""
    texts: list[str] = []
    for parameter in writer.function.parameters:
        kind = writer.declarations.type(parameter, parameter.type)
        if kernel and isinstance(kind, Struct) and by_value(writer, parameter) is None:
            loadable(parameter, kind)
            texts.append(f"ptr byval({kind.llvm}) align {kind.alignment} %p{parameter.result}")
            loaded = f"load {kind.llvm}, ptr %p{parameter.result}, align {kind.alignment}"
            writer.in_entry(partial(writer.define, parameter, loaded))
        else:
            texts.append(f"{parameter_type(writer, parameter)} %v{parameter.result}")
    return ", ".join(texts)


def _switches(writer: FunctionWriter) -> None:
    """Reads the targets of switches, whose literals are as wide as the selector."""
    for block in writer.function.blocks:
        last = block.instructions[-1]
        if last.name != "OpSwitch":
            continue
        selector = writer.operand(last, 0)
        if not isinstance(selector.type, Int):
            raise last.error(f"its selector has the type {selector.type.llvm}, not an integer")
        words = last.numbers(2)
        size = 3 if selector.type.width > 32 else 2
        if len(words) % size:
            raise last.error("a target is not complete")
        rows = [words[place : place + size] for place in range(0, len(words), size)]
        values = [sum(word << 32 * place for place, word in enumerate(row[:-1])) for row in rows]
        mask = (1 << selector.type.width) - 1
        block.targets = ([value & mask for value in values], [last.number(1), *(row[-1] for row in rows)])
        if len(set(block.targets[0])) < len(values):
            raise last.error("two targets have the same literal")


def _edges(writer: FunctionWriter) -> None:
    """Notes from where each block is reached, once for each edge."""
    known = {block.number for block in writer.function.blocks}
    first = writer.function.blocks[0].number
    for block in writer.function.blocks:
        last = block.instructions[-1]
        for target in block.successors():
            if target not in known:
                raise last.error(f"%{target} is not a block of this function")
            if target == first:
                raise last.error("it branches to the first block of the function")
            writer.predecessors.setdefault(target, []).append(block.number)


def _write_block(writer: FunctionWriter, block: Block) -> None:
    writer.start(block.label)
    writer.label(f"b{block.number}")
    writer.block = block
    phis = True
    for instruction in block.instructions:
        if instruction.name == "OpPhi" and not phis:
            raise instruction.error("it stands behind another instruction")
        handler = HANDLERS.get(instruction.name)
        if handler is None:
            raise instruction.error("kernels cannot execute it")
        if instruction.type:
            loadable(instruction, writer.type(instruction))
        writer.start(instruction)
        written = len(writer.lines)
        handler(writer, instruction)
        # What describes debug information may stand among phis, and becomes no line.
        phis = phis and (instruction.name == "OpPhi" or len(writer.lines) == written)


@handles("OpPhi")
def _phi(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.type(instruction)
    numbers = instruction.numbers()
    if len(numbers) % 2 or kind is VOID:
        raise instruction.error("its operands are not pairs of values and blocks")
    values = dict(zip(numbers[1::2], numbers[::2], strict=True))
    edges = Counter(writer.predecessors.get(writer.block.number, []))
    if edges.keys() != values.keys():
        missing = ", ".join(f"%{each}" for each in sorted(edges.keys() ^ values.keys()))
        raise instruction.error(f"it names other blocks than those before it: {missing}")
    rows = []
    for block, count in edges.items():
        value = writer.value(instruction, values[block])
        if value.type.llvm != kind.llvm:
            raise instruction.error(f"operand %{values[block]} has the type {value.type.llvm}, not {kind.llvm}")
        rows += [f"[ {value.text}, %b{block} ]"] * count
    if rows:
        writer.define(instruction, f"phi {kind.llvm} {', '.join(rows)}")
    else:
        # LLVM has no phi without operands; nothing reaches the block.
        writer.define(instruction, f"freeze {kind.llvm} poison")


@handles("OpLoopMerge", "OpSelectionMerge", "OpLoopControlINTEL", "OpLine", "OpNoLine")
def _nothing(writer: FunctionWriter, instruction: Instruction) -> None:
    """Writes nothing for structure: branches say whether to unroll their loops."""


_UNROLL, _DONT_UNROLL = (value_of("LoopControl", name) for name in ("Unroll", "DontUnroll"))


def _hints(function: Function, debug: DebugInformation) -> dict[int, str]:
    """Returns the metadata of branches that close loops, whether to unroll them, by the blocks that end in them."""
    order = {block.number: place for place, block in enumerate(function.blocks)}
    nodes: dict[int, str] = {}
    for block in function.blocks:
        for merge in (each for each in block.instructions if each.name == "OpLoopMerge"):
            if (control := merge.number(2)) & (_UNROLL | _DONT_UNROLL):
                nodes[block.number] = debug.loop("disable" if control & _DONT_UNROLL else "enable")
    return {
        block.number: f", !llvm.loop {nodes[target]}"
        for block in function.blocks
        for target in (block.successors() if nodes and block.instructions[-1].name in _BRANCHES else ())
        if target in nodes and order[target] <= order[block.number]
    }


_BRANCHES = ("OpBranch", "OpBranchConditional")


@handles("OpBranch")
def _branch(writer: FunctionWriter, instruction: Instruction) -> None:
    writer.emit(f"br label %b{instruction.number(0)}{writer.hints.get(writer.block.number, '')}")


@handles("OpBranchConditional")
def _conditional(writer: FunctionWriter, instruction: Instruction) -> None:
    condition = writer.same(instruction, 0, BOOL)
    hint = writer.hints.get(writer.block.number, "")
    writer.emit(f"br i1 {condition}, label %b{instruction.number(1)}, label %b{instruction.number(2)}{hint}")


@handles("OpSwitch")
def _switch(writer: FunctionWriter, instruction: Instruction) -> None:
    selector = writer.operand(instruction, 0)
    values, (default, *labels) = writer.block.targets
    assert isinstance(selector.type, Int)
    width = selector.type.width
    rows = " ".join(
        f"{selector.type.llvm} {value - (value >> width - 1 << width)}, label %b{label}"
        for value, label in zip(values, labels, strict=True)
    )
    writer.emit(f"switch {selector.typed}, label %b{default} [ {rows} ]")


@handles("OpReturn")
def _return(writer: FunctionWriter, instruction: Instruction) -> None:
    if writer.declarations.type(writer.function.head, writer.function.head.type) is not VOID:
        raise instruction.error("the function returns a value")
    writer.emit("ret void")


@handles("OpReturnValue")
def _return_value(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.declarations.type(writer.function.head, writer.function.head.type)
    writer.emit(f"ret {kind.llvm} {writer.same(instruction, 0, kind)}")


@handles("OpUnreachable", "OpKill")
def _unreachable(writer: FunctionWriter, instruction: Instruction) -> None:
    writer.emit("unreachable")
