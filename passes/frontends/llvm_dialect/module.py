"""Writes functions and variables of a `gpu.module` as a module of LLVM IR."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DictionaryAttr, IntegerAttr, UnitAttr
from xdsl.dialects.llvm import GlobalOp, LLVMFunctionType, LLVMVoidType
from xdsl.ir import Attribute, Operation, SSAValue, TypeAttribute

from passes.frontends.builtins import DATA_LAYOUT, TRIPLE
from passes.frontends.llvm import Requirements
from passes.frontends.llvm_dialect import rules
from passes.frontends.llvm_dialect.writing.constants import NoConstant, constant_text
from passes.frontends.llvm_dialect.writing.places import Places
from passes.frontends.llvm_dialect.writing.text import symbol
from passes.frontends.llvm_dialect.writing.types import GLOBAL, NoLLVMType, has_type, type_text
from passes.frontends.llvm_dialect.writing.writer import Foreign, FunctionWriter, is_buffer
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream import gpu
from xegpu.dialects.upstream.func import FuncOp as HostFuncOp
from xegpu.dialects.upstream.llvm import FuncOp
from xegpu.discovery import import_modules

import_modules(rules)

AnyFunction = FuncOp | HostFuncOp | gpu.FuncOp
_LINKAGES = {"internal": "internal", "private": "private"}


@dataclass(frozen=True)
class WrittenModule:
    """LLVM IR; `operations` are those that calls of functions of their names stand for."""

    text: str
    operations: Mapping[str, Operation] = field(default_factory=dict)
    requirements: Mapping[str, Requirements] = field(default_factory=dict)


@dataclass(frozen=True)
class _Signature:
    inputs: Sequence[Attribute]
    output: Attribute
    variadic: bool = False


def is_kernel(op: Operation) -> bool:
    """Returns whether an operation is a function that a launch may name."""
    match op:
        case FuncOp():
            return op.is_kernel and bool(op.body.blocks)
        case gpu.FuncOp():
            return op.kernel is not None
        case _:
            return False


def write_module(kernels: Iterable[AnyFunction], others: Iterable[Operation]) -> WrittenModule:
    """Returns kernels, and the functions and variables that they may use, as LLVM IR.

    Raises:
        CompileError: For what LLVM IR has no form for.
    """
    places, foreign = Places(), Foreign()
    kernels, others = list(kernels), list(others)
    lines: list[str] = []
    for op in (*others, *kernels):
        if isinstance(op, GlobalOp):
            lines += _variable(op)
        elif isinstance(op, FuncOp | HostFuncOp | gpu.FuncOp):
            lines += _function(op, places, foreign)
    header = [f'target datalayout = "{DATA_LAYOUT}"', f'target triple = "{TRIPLE}"']
    text = "\n".join([*header, *lines, *foreign.declarations, *places.tail(), ""])
    return WrittenModule(text, foreign.operations, {op.sym_name.data: _requirements(op) for op in kernels})


def _signature(op: AnyFunction) -> _Signature:
    type = op.function_type
    if isinstance(type, LLVMFunctionType):
        return _Signature(type.inputs.data, type.output, type.is_variadic)
    outputs = type.outputs.data
    if len(outputs) > 1:
        raise CompileError(op, "returns several values from a function of a kernel, which is not supported")
    return _Signature(type.inputs.data, outputs[0] if outputs else LLVMVoidType())


def _function(op: AnyFunction, places: Places, foreign: Foreign) -> list[str]:
    signature = _signature(op)
    kernel = is_kernel(op)
    name = symbol(op.sym_name.data)
    convention = "spir_kernel" if kernel else "spir_func"
    try:
        output = type_text(signature.output)
        if not op.body.blocks:
            parameters = [*map(type_text, signature.inputs), *(["..."] if signature.variadic else [])]
            return [f"declare {convention} {output} {name}({', '.join(parameters)}){_effects(op)}"]
        writer = FunctionWriter(op, op.body, places, foreign)
        if kernel and op.body.blocks[0].args and not isinstance(signature.output, LLVMVoidType):
            raise CompileError(op, "is a kernel that returns a value: expected none")
        parameters = [
            f"{_parameter(argument, attributes)} {writer.value(argument)}"
            for argument, attributes in zip(op.body.blocks[0].args, _attributes(op), strict=True)
        ]
    except NoLLVMType as error:
        raise CompileError(op, f"has a parameter or a result of type {error}, for which LLVM IR has no type") from error
    dbg = f" !dbg {writer.scope}" if writer.scope else ""
    head = f"define {convention} {output} {name}({', '.join(parameters)}){_effects(op)}{dbg} {{"
    return [head, *writer.write(), "}"]


def _attributes(op: AnyFunction) -> list[Mapping[str, Attribute]]:
    lists = op.properties.get("arg_attrs")
    if not isinstance(lists, ArrayAttr):
        return [{}] * len(op.body.blocks[0].args)
    return [entry.data if isinstance(entry, DictionaryAttr) else {} for entry in lists]


def _parameter(argument: SSAValue, attributes: Mapping[str, Attribute]) -> str:
    """Returns the type of a parameter; a buffer is what its address is."""
    if isinstance(by_value := attributes.get("llvm.byval"), TypeAttribute):
        return f"{type_text(argument.type)} byval({type_text(by_value)})"
    if not has_type(argument.type) and is_buffer(argument.type):
        return f"ptr addrspace({GLOBAL})"
    return type_text(argument.type)


def _effects(op: AnyFunction) -> str:
    """Returns the attributes of a function that a compiler may not forget."""
    words = [word for word in ("convergent",) if isinstance(_fact(op, word), UnitAttr)]
    effects = _fact(op, "memory_effects")
    if effects is not None and not op.body.blocks:
        kinds = set(str(effects).partition("<")[2].rstrip(">").replace(",", " ").split()) & set(_EFFECTS)
        if kinds <= {"none"}:
            words.append("memory(none)")
        elif kinds <= {"none", "read"}:
            words.append("memory(read)")
    return "".join(f" {word}" for word in words)


_EFFECTS = ("none", "read", "write", "readwrite")


def _fact(op: Operation, name: str) -> Attribute | None:
    return op.properties.get(name) or op.attributes.get(name)


_BLOCK_SIZES = ("reqd_work_group_size", "gpu.known_block_size", "known_block_size")
_SUBGROUP_SIZE = "intel_reqd_sub_group_size"


def _requirements(op: AnyFunction) -> Requirements:
    """Returns what a kernel requires of its launches."""
    sizes = [found for name in _BLOCK_SIZES if isinstance(found := _fact(op, name), DenseArrayBase)]
    group = [int(size) for size in sizes[0].get_values()] if sizes else None
    subgroup = _fact(op, _SUBGROUP_SIZE)
    return Requirements(group, subgroup.value.data if isinstance(subgroup, IntegerAttr) else None)


def _variable(op: GlobalOp) -> list[str]:
    space = op.addr_space.value.data
    where = f"addrspace({space}) " if space else ""
    kind = "constant" if op.constant is not None else "global"
    linkage = _LINKAGES.get(op.linkage.linkage.data, "")
    alignment = f", align {op.alignment.value.data}" if op.alignment is not None else ""
    try:
        type = type_text(op.global_type)
        value = _initial(op)
    except (NoLLVMType, NoConstant) as error:
        raise CompileError(op, f"has a value of {error}, which LLVM IR does not have") from error
    words = " ".join(filter(None, (linkage or ("external" if not value else ""), f"{where}{kind}", type, value)))
    return [f"{symbol(op.sym_name.data)} = {words}{alignment}"]


def _initial(op: GlobalOp) -> str:
    """Returns the value of a variable; empty for one that another module sets."""
    if op.value is not None:
        return constant_text(op.value, op.global_type)
    if op.body.blocks:
        raise NoConstant("operations")
    return "undef" if op.linkage.linkage.data in _LINKAGES else ""
