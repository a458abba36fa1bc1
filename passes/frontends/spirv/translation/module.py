"""Modules: the LLVM IR of all that a SPIR-V module defines and declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from passes.frontends.builtins import DATA_LAYOUT, TRIPLE
from passes.frontends.spirv import reader
from passes.frontends.spirv.constants import Constant, null
from passes.frontends.spirv.declarations import Declarations, Variable, declare
from passes.frontends.spirv.errors import SpirvError
from passes.frontends.spirv.grammar import name_of
from passes.frontends.spirv.information import KernelInformation, ModuleInformation, Specialization, kernels_of
from passes.frontends.spirv.module import Function, Module, build, entry_name
from passes.frontends.spirv.names import quoted
from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.translation.debug import DebugInformation
from passes.frontends.spirv.translation.functions import write_function
from passes.frontends.spirv.translation.writer import ModuleWriter, Prototype
from passes.frontends.spirv.types import Type
from passes.frontends.spirv.validation import exported, library_functions, validate


@dataclass(frozen=True)
class Translation:
    """A module in LLVM IR. `sources` has the instruction that each line of the text comes from, if there is one."""

    text: str
    information: ModuleInformation
    sources: tuple[Instruction | None, ...]

    def located(self, message: str, line: int | None) -> SpirvError:
        """Returns an error about a line of the text as one about the instruction that it comes from."""
        source = self.sources[line - 1] if line is not None and 0 < line <= len(self.sources) else None
        return source.error(message) if source else SpirvError(message)


def translate(data: bytes, specialization: Mapping[int, bytes] | None = None) -> Translation:
    """Returns a SPIR-V module in LLVM IR.

    Args:
        data: The module.
        specialization: The bytes of specialization constants by their SpecIds.

    Raises:
        SpirvError: The module is wrong, or uses what kernels cannot.
    """
    module = build(reader.read(data))
    validate(module)
    given = specialization or {}
    declarations = declare(module, given)
    unknown = sorted(given.keys() - declarations.used)
    if unknown:
        raise SpirvError(f"the module has no specialization constant with SpecId {unknown[0]}")
    kernels = kernels_of(declarations)
    writer = ModuleWriter(declarations, DebugInformation(module), exports=exported(module))
    lines, sources = _functions(writer, kernels)
    head = [f'target datalayout = "{DATA_LAYOUT}"', f'target triple = "{TRIPLE}"']
    head += [f"{struct.llvm} = type {getattr(struct, 'body', '')}" for struct in declarations.structs]
    head += [_global(declarations, each) for each in declarations.variables.values() if not each.built_in]
    tail = [*writer.helpers.values(), *(_prototype(*row) for row in writer.prototypes.items())]
    tail += ["attributes #0 = { convergent nounwind }", "attributes #1 = { alwaysinline convergent nounwind }"]
    text = "\n".join([*head, *lines, *tail, writer.debug.text()])
    return Translation(text, _information(module, writer, kernels), (*([None] * len(head)), *sources))


def _described(writer: ModuleWriter, kernel: KernelInformation) -> str:
    """Returns the sizes that a kernel requires and its arguments, as clang writes them for OpenCL C."""
    found = ""
    for name, size in (
        ("reqd_work_group_size", kernel.local_size),
        ("work_group_size_hint", kernel.local_size_hint),
        ("intel_reqd_sub_group_size", None if kernel.subgroup_size is None else (kernel.subgroup_size,)),
    ):
        if size is not None:
            found += f" !{name} {writer.debug.numbers(size)}"
    if kernel.arguments:
        for name, words in (
            ("kernel_arg_access_qual", [argument.access or "none" for argument in kernel.arguments]),
            ("kernel_arg_type", [argument.type_name for argument in kernel.arguments]),
            ("kernel_arg_name", [each.name or f"arg{number}" for number, each in enumerate(kernel.arguments)]),
        ):
            found += f" !{name} {writer.debug.strings(words)}"
    return found


def _functions(writer: ModuleWriter, information: tuple[KernelInformation, ...]) -> tuple[list[str], list[Instruction]]:
    """Writes all functions, those of entry points once for each kernel and once more if others call them."""
    module = writer.module
    called = {
        instruction.number(0)
        for function in module.functions.values()
        for instruction in function.instructions()
        if instruction.name == "OpFunctionCall"
    }
    lines: list[str] = []
    sources: list[Instruction] = []
    entries = [(module.functions[entry.number(1)], entry_name(entry)) for entry in module.entry_points]
    kernels = {function.number for function, _ in entries}
    exports = {each.number for each in writer.exports.values()}
    for function in module.functions.values():
        if function.blocks and (function.number not in kernels or function.number in called | exports):
            _extend(lines, sources, write_function(writer, function, None))
    for (function, name), kernel in zip(entries, information, strict=True):
        attributes = _attributes(module, function, kernel)
        _extend(lines, sources, write_function(writer, function, name, _described(writer, kernel), attributes))
    return lines, sources


_SIZES = {"SharedLocalMemorySizeINTEL": "VCSLMSize", "NamedBarrierCountINTEL": "VCNamedBarrierCount"}
"""The attributes of LLVM IR for execution modes of vector compute."""


def _attributes(module: Module, function: Function, kernel: KernelInformation) -> str:
    """Returns the attributes of a kernel of vector compute, which works on whole subgroups; none for other kernels."""
    if module.decoration(function.number, "VectorComputeFunctionINTEL") is None:
        return ""
    sizes = [(_SIZES[mode], operands[0]) for mode, operands in kernel.modes if mode in _SIZES]
    return ' "VCFunction"' + "".join(f' "{name}"="{size}"' for name, size in sizes)


def _extend(lines: list[str], sources: list[Instruction], more: tuple[list[str], list[Instruction]]) -> None:
    lines.extend(more[0])
    sources.extend(more[1])


def _prototype(symbol: str, row: tuple[Prototype, str]) -> str:
    (result, parameters), attributes = row
    convention = "" if symbol.startswith("llvm.") else "spir_func "
    return f"declare {convention}{result} {quoted(symbol)}({', '.join(parameters)}) {attributes}"


def _global(declarations: Declarations, variable: Variable) -> str:
    """Returns the definition of a variable. Work-group memory has no value at first."""
    kind = variable.pointee
    space = f"addrspace({variable.type.space}) " if variable.type.space else ""
    word = "constant" if variable.type.space == 2 else "global"
    alignment = declarations.module.decoration(variable.instruction.result, "Alignment")
    found = alignment[0] if alignment and isinstance(alignment[0], int) else kind.alignment
    if found & found - 1 or not 0 < found <= 1 << 29:
        raise variable.instruction.error(f"the alignment {found} is not a power of two")
    linkage = _LINKAGES["" if variable.linkage is None else variable.linkage.kind]
    if linkage == "external":
        return f"{variable.symbol} = external {space}{word} {kind.llvm}, align {found}"
    value = _initialiser(declarations, variable)
    return f"{variable.symbol} = {linkage}{space}{word} {kind.llvm} {value}, align {found}"


_LINKAGES = {"": "internal ", "Import": "external", "Export": "", "LinkOnceODR": "linkonce_odr "}
"""The linkages of variables in LLVM IR, by how modules link them."""


def _initialiser(declarations: Declarations, variable: Variable) -> str:
    kind = variable.pointee
    if variable.initialiser is None:
        return "undef" if variable.type.space in (0, 3) else null(kind).text
    constant: Constant | None = declarations.constants.get(variable.initialiser)
    if constant is None or constant.deferred or constant.type.llvm != kind.llvm:
        raise variable.instruction.error(
            f"its initialiser %{variable.initialiser} is not a constant of type {kind.llvm}"
        )
    return constant.text


def _information(module: Module, writer: ModuleWriter, kernels: tuple[KernelInformation, ...]) -> ModuleInformation:
    variables = [
        (each.linkage.name, each.linkage.kind)
        for each in writer.declarations.variables.values()
        if each.linkage is not None and not each.built_in
    ]
    return ModuleInformation(
        module.binary.version,
        module.binary.generator,
        tuple(name_of("Capability", each.number(0)) for each in module.capabilities),
        tuple(each.text(0) for each in module.extensions),
        kernels,
        tuple(writer.imports),
        tuple(library_functions(module)),
        tuple(name for name, kind in variables if kind == "Import"),
        tuple(name for name, kind in variables if kind != "Import"),
        tuple(linkage.name for linkage in module.linkages() if linkage.kind == "LinkOnceODR"),
        any(each.type.space == 1 and not each.built_in for each in writer.declarations.variables.values()),
        tuple(writer.formats),
    )


def specializations(data: bytes) -> tuple[Specialization, ...]:
    """Returns the specialization constants of a module that have a number.

    Raises:
        SpirvError: The module is wrong.
    """
    module = build(reader.read(data))
    declarations = declare(module, {})
    found = []
    for number, constant in declarations.constants.items():
        decoration = module.decoration(number, "SpecId")
        if decoration and isinstance(decoration[0], int) and isinstance(constant.type, Type):
            raw = declarations.raw[number]
            found.append(Specialization(decoration[0], constant.type.llvm, constant.type.size, raw))
    return tuple(found)
