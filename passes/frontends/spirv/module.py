"""The model of a module: its declarations, and the blocks of its functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from passes.frontends.spirv.errors import SpirvError as SpirvError
from passes.frontends.spirv.grammar import name_of, value_of
from passes.frontends.spirv.names import function_address
from passes.frontends.spirv.reader import Binary, Instruction, Operand

TERMINATORS = frozenset(
    {"OpBranch", "OpBranchConditional", "OpSwitch", "OpReturn", "OpReturnValue", "OpUnreachable", "OpKill"}
)

_BUILT_IN = value_of("Decoration", "BuiltIn")
_ATTRIBUTE = value_of("Decoration", "FuncParamAttr")
_LINKAGE = value_of("Decoration", "LinkageAttributes")


@dataclass
class Block:
    """A block: what follows its label, the terminator included."""

    label: Instruction
    instructions: list[Instruction] = field(default_factory=list)

    @property
    def number(self) -> int:
        return self.label.result

    def successors(self) -> Iterator[int]:
        """Yields the labels to which the block branches, one for each edge."""
        last = self.instructions[-1]
        match last.name:
            case "OpBranch":
                yield last.number(0)
            case "OpBranchConditional":
                yield last.number(1)
                yield last.number(2)
            case "OpSwitch":
                yield from self.targets[1]

    targets: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    """The values and the labels of an `OpSwitch`, the default's label first."""


@dataclass
class Function:
    """A function. One without blocks is a declaration."""

    head: Instruction
    parameters: list[Instruction] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)

    @property
    def number(self) -> int:
        return self.head.result

    def instructions(self) -> Iterator[Instruction]:
        """Yields the instructions of all blocks."""
        for block in self.blocks:
            yield from block.instructions


@dataclass(frozen=True)
class Linkage:
    """Tells how a function or variable is linked."""

    name: str
    kind: str


@dataclass
class Module:
    """A module, with its declarations by id. Functions stay instructions."""

    binary: Binary
    capabilities: list[Instruction] = field(default_factory=list)
    extensions: list[Instruction] = field(default_factory=list)
    sets: dict[int, str] = field(default_factory=dict)
    memory_model: Instruction | None = None
    entry_points: list[Instruction] = field(default_factory=list)
    modes: list[Instruction] = field(default_factory=list)
    strings: dict[int, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    decorations: dict[int, dict[int, list[tuple[Operand, ...]]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    """The operands of an id's decorations by kind. Some kinds may stand several times."""
    declarations: list[Instruction] = field(default_factory=list)
    functions: dict[int, Function] = field(default_factory=dict)
    library: dict[str, Function] | None = None
    """The functions that other modules may call by their names, once somebody has asked for them."""
    lines: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    """File, line and column by the word of an instruction."""

    def decoration(self, target: int, name: str) -> tuple[Operand, ...] | None:
        """Returns the operands of a decoration of an id, or `None` if it has none."""
        found = self.decorations.get(target)
        every = found.get(value_of("Decoration", name)) if found else None
        return every[0] if every else None

    def attributes(self, parameter: int) -> list[str]:
        """Returns the names of a parameter's attributes, such as `ByVal`."""
        found = self.decorations.get(parameter, {}).get(_ATTRIBUTE, [])
        return [name_of("FunctionParameterAttribute", each[0]) for each in found if each and isinstance(each[0], int)]

    def linkage(self, target: int) -> Linkage | None:
        """Returns how an id is linked to other modules, if it is."""
        for name, kind in self.decorations.get(target, {}).get(_LINKAGE, []):
            if isinstance(name, str) and isinstance(kind, int):
                return Linkage(name, name_of("LinkageType", kind))
        return None

    def address(self, function: int) -> int:
        """Returns the number that stands for a function where its address is taken."""
        linkage = self.linkage(function)
        return function_address(linkage.name if linkage is not None else f"{function}.{self.binary.digest}")

    def linkages(self) -> Iterator[Linkage]:
        """Yields how functions and variables are linked to other modules."""
        for target in self.decorations:
            if (linkage := self.linkage(target)) is not None:
                yield linkage

    def built_in(self, target: int) -> str | None:
        """Returns the name of the builtin that a variable holds, or `None` if it is an ordinary one."""
        for (number,) in self.decorations.get(target, {}).get(_BUILT_IN, []):
            if isinstance(number, int):
                return name_of("BuiltIn", number)
        return None


_IGNORED = frozenset(
    {
        "OpNop",
        "OpSource",
        "OpSourceContinued",
        "OpSourceExtension",
        "OpModuleProcessed",
        "OpMemberName",
        "OpMemberDecorate",
        "OpMemberDecorateString",
        "OpGroupMemberDecorate",
        "OpDecorationGroup",
        "OpAliasDomainDeclINTEL",
        "OpAliasScopeDeclINTEL",
        "OpAliasScopeListDeclINTEL",
        "OpAsmTargetINTEL",
        "OpAsmINTEL",
    }
)
"""The instructions before the functions that change nothing about results."""

_DECORATING = frozenset({"OpDecorate", "OpDecorateId", "OpDecorateString"})


def build(binary: Binary) -> Module:
    """Returns the model of a module.

    Raises:
        SpirvError: An id is defined twice, or instructions stand where they may not.
    """
    module = Module(binary)
    _check_definitions(binary)
    groups: list[Instruction] = []
    function: Function | None = None
    line: tuple[int, int, int] | None = None
    for instruction in binary.instructions:
        name = instruction.name
        if name == "OpLine":
            line = (instruction.number(0), instruction.number(1), instruction.number(2))
        elif name == "OpNoLine":
            line = None
        elif name == "OpFunction":
            if function is not None:
                raise instruction.error(f"the function %{function.number} has no OpFunctionEnd")
            function = module.functions[instruction.result] = Function(instruction)
            if line is not None:
                module.lines[instruction.word] = line
        elif function is not None:
            if line is not None:
                module.lines[instruction.word] = line
            if _add(function, instruction):
                function = line = None
        elif name == "OpGroupDecorate":
            groups.append(instruction)
        elif name in _DECORATING:
            module.decorations[instruction.number(0)][instruction.number(1)].append(instruction.operands[2:])
        elif name not in _IGNORED:
            _declare(module, instruction)
    if function is not None:
        raise function.head.error("the function has no OpFunctionEnd")
    for group in groups:
        for target in group.numbers(1):
            for kind, each in module.decorations.get(group.number(0), {}).items():
                module.decorations[target][kind].extend(each)
    return module


def _check_definitions(binary: Binary) -> None:
    seen: set[int] = set()
    for instruction in binary.instructions:
        if instruction.result:
            if instruction.result in seen:
                raise instruction.error(f"%{instruction.result} is defined a second time")
            seen.add(instruction.result)


def _declare(module: Module, instruction: Instruction) -> None:
    """Notes an instruction before the functions."""
    match instruction.name:
        case "OpCapability":
            module.capabilities.append(instruction)
        case "OpExtension":
            module.extensions.append(instruction)
        case "OpExtInstImport":
            module.sets[instruction.result] = instruction.text(0)
        case "OpMemoryModel":
            if module.memory_model is not None:
                raise instruction.error("the module has a second memory model")
            module.memory_model = instruction
        case "OpEntryPoint":
            module.entry_points.append(instruction)
        case "OpExecutionMode" | "OpExecutionModeId":
            module.modes.append(instruction)
        case "OpString":
            module.strings[instruction.result] = instruction.text(0)
        case "OpName":
            module.names[instruction.number(0)] = instruction.text(1)
        case "OpExtInst":
            if not module.sets.get(instruction.number(0), "").startswith(("OpenCL.DebugInfo", "NonSemantic.")):
                raise instruction.error(
                    "it stands outside of functions and its set does not describe debug information"
                )
        case _:
            module.declarations.append(instruction)


def _add(function: Function, instruction: Instruction) -> bool:
    """Adds an instruction to a function. Says whether it ends the function."""
    name = instruction.name
    block = function.blocks[-1] if function.blocks else None
    ended = block is not None and bool(block.instructions) and block.instructions[-1].name in TERMINATORS
    if name == "OpFunctionEnd":
        if block is not None and not ended:
            raise block.label.error("the block has no terminator")
        return True
    if name == "OpFunctionParameter":
        if block is not None:
            raise instruction.error("a parameter stands behind a label")
        function.parameters.append(instruction)
    elif name == "OpLabel":
        if block is not None and not ended:
            raise instruction.error(f"the block %{block.number} before it has no terminator")
        function.blocks.append(Block(instruction))
    elif name == "OpNop":
        pass
    elif block is None or ended:
        raise instruction.error("it stands outside of a block")
    else:
        block.instructions.append(instruction)
    return False


def entry_name(instruction: Instruction) -> str:
    """Returns the name of an entry point.

    Raises:
        SpirvError: The name cannot stand for a kernel.
    """
    name = instruction.text(2)
    if not name or "\0" in name or name.startswith("llvm."):
        raise instruction.error(f"{name!r} cannot be the name of a kernel")
    return name
