"""Calls: of functions, and of builtins that SPIR-V has instructions for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from passes.frontends.builtins import BUILTINS, Effect
from passes.frontends.spirv.constants import null, number
from passes.frontends.spirv.grammar import ID_KINDS, grammar
from passes.frontends.spirv.module import Function
from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.translation.writer import HANDLERS, FunctionWriter, Value, handles
from passes.frontends.spirv.types import INTS, VOID, AnyType, FunctionType, PointerType, Type
from passes.frontends.spirv.validation import POINTER_CALL, pointed_functions


def prototype(writer: FunctionWriter, function: Function) -> FunctionType:
    """Returns the type of a function.

    Raises:
        SpirvError: Its type is not one, or does not fit its parameters.
    """
    head = function.head
    kind = writer.declarations.function_types.get(head.number(1))
    if kind is None:
        raise head.error(f"%{head.number(1)} is not the type of a function")
    if kind.result.llvm != writer.declarations.type(head, head.type).llvm:
        raise head.error("its result has another type than the type of the function says")
    parameters = [writer.declarations.type(each, each.type).llvm for each in function.parameters]
    if [each.llvm for each in kind.parameters] != parameters:
        raise head.error("its parameters have other types than the type of the function says")
    return kind


def by_value(writer: FunctionWriter, parameter: Instruction) -> Type | None:
    """Returns the type of the data that a parameter passes by value although it is a pointer, or `None`."""
    kind = writer.declarations.type(parameter, parameter.type)
    if (
        isinstance(kind, PointerType)
        and kind.space == 0
        and "ByVal" in writer.module.module.attributes(parameter.result)
    ):
        return kind.pointee if isinstance(kind.pointee, Type) and kind.pointee is not VOID else None
    return None


def parameter_type(writer: FunctionWriter, parameter: Instruction) -> str:
    """Returns the type of a parameter with its attributes."""
    data = by_value(writer, parameter)
    kind = writer.declarations.type(parameter, parameter.type)
    return f"ptr byval({data.llvm}) align {data.alignment}" if data else kind.llvm


@handles("OpFunctionCall")
def _call(writer: FunctionWriter, instruction: Instruction) -> None:
    function = writer.module.module.functions.get(instruction.number(0))
    if function is None:
        raise instruction.error(f"%{instruction.number(0)} is not a function")
    if not function.blocks:
        function = writer.exported(function) or function
    kind = prototype(writer, function)
    result = writer.type(instruction)
    if len(instruction.operands) - 1 != len(kind.parameters) or result.llvm != kind.result.llvm:
        raise instruction.error(
            f"%{function.number} takes {len(kind.parameters)} arguments and returns {kind.result.llvm}"
        )
    texts = [writer.same(instruction, place + 1, each) for place, each in enumerate(kind.parameters)]
    if not function.blocks:
        linkage = writer.module.module.linkage(function.number)
        if linkage is None or linkage.kind != "Import":
            raise function.head.error("it has no body and is not imported")
        if linkage.name.startswith("llvm."):
            values = [Value(each, text) for each, text in zip(kind.parameters, texts, strict=True)]
            writer.finish_call(instruction, _intrinsic(writer, instruction, linkage.name, kind.result, values))
            return
        if (cast := _CASTS.get(linkage.name)) and len(texts) == 1 and isinstance(kind.result, PointerType):
            values = [Value(kind.parameters[0], texts[0])]
            writer.finish_call(instruction, writer.builtin(cast, kind.result, values))
            return
    writer.finish_call(instruction, _called(writer, instruction, function, kind, texts))


def _called(
    writer: FunctionWriter, instruction: Instruction, function: Function, kind: FunctionType, texts: Sequence[str]
) -> str:
    """Returns the call of a function, which another module may define."""
    types = [parameter_type(writer, each) for each in function.parameters]
    arguments = ", ".join(f"{each} {text}" for each, text in zip(types, texts, strict=True))
    if function.blocks:
        name = writer.module.symbol(function)
    else:
        linkage = writer.module.module.linkage(function.number)
        if linkage is None:
            raise function.head.error("it has no body and is not imported")
        name = writer.module.import_function(instruction, linkage.name, kind.result.llvm, types)
    return f"call spir_func {kind.result.llvm} {name}({arguments})"


@handles(POINTER_CALL)
def _call_by_pointer(writer: FunctionWriter, instruction: Instruction) -> None:
    """Writes a helper that compares the pointer with the addresses of all functions that it may point to.

    One that is none of them is written to, which the device reports as an access of memory that nobody has.
    """
    pointer = writer.operand(instruction, 0)
    kind = pointer.type.pointee if isinstance(pointer.type, PointerType) else None
    result = writer.type(instruction)
    if not isinstance(kind, FunctionType) or result.llvm != kind.result.llvm:
        raise instruction.error(f"%{instruction.number(0)} is no pointer to a function that returns {result.llvm}")
    if len(instruction.operands) - 1 != len(kind.parameters):
        raise instruction.error(f"the function takes {len(kind.parameters)} arguments")
    values = [Value(each, writer.same(instruction, place + 1, each)) for place, each in enumerate(kind.parameters)]
    functions = pointed_functions(writer.module.module, instruction, writer.function)
    name = f"@.call{instruction.result}"
    parameters = [f"%p{place}" for place in range(len(values))]
    cases, blocks = [], []
    for function in functions:
        address = number(INTS[64], writer.module.module.address(function.number)).text
        cases.append(f"i64 {address}, label %f{function.number}")
        call = _called(writer, instruction, writer.exported(function) or function, kind, parameters)
        blocks.append(f"f{function.number}:")
        blocks += [f"  {call}", "  ret void"] if result is VOID else [f"  %r{function.number} = {call}"]
        blocks += [] if result is VOID else [f"  ret {result.llvm} %r{function.number}"]
    declared = ", ".join(
        [f"{pointer.type.llvm} %f", *(f"{v.type.llvm} {p}" for v, p in zip(values, parameters, strict=True))]
    )
    writer.module.helpers[name] = "\n".join(
        [
            f"define internal spir_func {result.llvm} {name}({declared}) #1 {{",
            f"  %address = ptrtoint {pointer.type.llvm} %f to i64",
            f"  switch i64 %address, label %none [ {' '.join(cases)} ]",
            "none:",
            f"  store volatile i8 0, {pointer.type.llvm} %f",
            f"  ret {'void' if result is VOID else f'{result.llvm} {null(result).text}'}",
            *blocks,
            "}",
        ]
    )
    writer.finish_call(
        instruction, f"call spir_func {result.llvm} {name}({', '.join(each.typed for each in (pointer, *values))})"
    )


_CASTS = {
    f"__to_{name.lower()}": f"__spirv_GenericCastToPtrExplicit_To{name}" for name in ("Global", "Local", "Private")
}
"""The SPIR-V names of casts of generic pointers, by clang's own names."""

_INTEGER_INTRINSICS = {
    "fshl": 3,
    "fshr": 3,
    "bswap": 1,
    "ctpop": 1,
    "bitreverse": 1,
    "umin": 2,
    "umax": 2,
    "smin": 2,
    "smax": 2,
    "uadd.sat": 2,
    "sadd.sat": 2,
    "usub.sat": 2,
    "ssub.sat": 2,
}
"""Intrinsics of LLVM that producers leave as imports, with their operands, which all have the type of the result."""


def _intrinsic(
    writer: FunctionWriter, instruction: Instruction, name: str, result: AnyType, values: list[Value]
) -> str:
    base = name.removeprefix("llvm.")
    if base.startswith("genx."):
        return _vector_compute(writer, instruction, name, result, values)
    operation = next((each for each in _INTEGER_INTRINSICS if base.startswith(f"{each}.")), None)
    if operation and len(values) == _INTEGER_INTRINSICS[operation] and all(each.type == result for each in values):
        return writer.intrinsic(operation, result, values)
    operation = base.partition(".")[0]
    if operation in ("memcpy", "memmove", "memset") and len(values) == 4 and result is VOID:
        target, source, size, volatile = values
        expected = INTS[8] if operation == "memset" else source.type
        pointers = isinstance(target.type, PointerType) and isinstance(source.type, PointerType | type(INTS[8]))
        constant = volatile.text in ("true", "false")
        if pointers and source.type == expected and size.type in (INTS[32], INTS[64]) and constant:
            spaces = [f"p{each.type.space}" for each in (target, source) if isinstance(each.type, PointerType)]
            return writer.call_text(f"llvm.{operation}.{'.'.join([*spaces, size.type.llvm])}", "void", values)
    raise instruction.error(f"it calls {name}, which kernels cannot use")


_EFFECTFUL = re.compile(
    r"llvm\.genx\.(?:[a-z\d]+\.)?(?:block|gather|scatter|atomic|lsc|raw|slm|oword|media|typed|untyped|load|store|sample|avs"
    r"|[sn]?barrier|fence|cache|wait|yield|dummy|timestamp|simdcf|unmask|prefetch|vload|vstore|alloca)\b.*"
)
"""The intrinsics of vector compute that access memory, wait, or depend on more than their arguments."""


def _vector_compute(
    writer: FunctionWriter, instruction: Instruction, name: str, result: AnyType, values: list[Value]
) -> str:
    """Returns the text of a call of an intrinsic, or of the access to a variable that it stands for."""
    kind = name.removeprefix("llvm.genx.").partition(".")[0]
    if kind == "vload" and len(values) == 1 and isinstance(values[0].type, PointerType) and result is not VOID:
        return f"load {result.llvm}, {values[0].typed}"
    if kind == "vstore" and len(values) == 2 and isinstance(values[1].type, PointerType):
        return f"store {values[0].typed}, {values[1].typed}"
    effect = Effect.CONVERGENT_MEMORY if _EFFECTFUL.fullmatch(name) else Effect.PURE
    symbol = writer.module.declare(instruction, name, result.llvm, [each.type.llvm for each in values], effect.value)
    return f"call {result.llvm} {symbol}({', '.join(each.typed for each in values)})"


_RESULT_TYPED = frozenset(
    {
        "OpSubgroupBlockReadINTEL",
        "OpSubgroupImageBlockReadINTEL",
        "OpSubgroupImageMediaBlockReadINTEL",
        "OpImageSampleExplicitLod",
        "OpImageFetch",
        "OpImageRead",
        "OpImageQuerySizeLod",
        "OpImageQuerySize",
        "OpReadClockKHR",
    }
)
"""Instructions whose operands do not tell the type of the result."""

_SCOPED = ("OpGroup", "OpControlBarrier")


def _arguments(writer: FunctionWriter, instruction: Instruction) -> list[Value]:
    """Returns the operands of an instruction: ids as values, literals and masks as constants."""
    kinds = list(instruction.operation.operands)
    found: list[Value] = []
    for place in range(len(instruction.operands)):
        kind = kinds[min(place, len(kinds) - 1)].rstrip("?*")
        # Behind a mask of image or memory operands stand their values.
        is_id = kind in ID_KINDS or place >= len(kinds)
        number = instruction.number(place)
        found.append(writer.value(instruction, number) if is_id else Value(INTS[32], str(number)))
    return found


def _builtin(writer: FunctionWriter, instruction: Instruction) -> None:
    if instruction.name.startswith(_SCOPED):
        _check_scope(writer, instruction)
    if instruction.name.startswith("OpImage"):
        _check_image(writer, instruction)
    result = writer.type(instruction) if instruction.type else VOID
    name = f"__spirv_{instruction.name[2:]}"
    arguments = _arguments(writer, instruction)
    call = writer.builtin(name, result, arguments, typed_result=instruction.name in _RESULT_TYPED)
    writer.finish_call(instruction, call)


def _check_scope(writer: FunctionWriter, instruction: Instruction) -> None:
    execution = writer.operand(instruction, 0)
    allowed = (2,) if instruction.name in ("OpGroupAsyncCopy", "OpGroupWaitEvents") else (2, 3)
    if execution.number is not None and execution.number not in allowed:
        names = " or ".join({2: "Workgroup", 3: "Subgroup"}[each] for each in allowed)
        raise instruction.error(f"its execution scope is {execution.number}, not {names}")


_CONST_OFFSET = 0x8
_EXTENSIONS = 0x7000
"""Sign and zero extension and Nontemporal, which producers add to writes as well."""

_IMAGE_OPERANDS = {"OpImageWrite": 3, "OpImageRead": 2, "OpImageSampleExplicitLod": 2, "OpImageFetch": 2}


def _check_image(writer: FunctionWriter, instruction: Instruction) -> None:
    place = _IMAGE_OPERANDS.get(instruction.name)
    if place is None or place >= len(instruction.operands):
        return
    mask = instruction.number(place)
    if instruction.name == "OpImageWrite" and mask & ~_EXTENSIONS:
        raise instruction.error("a write takes no image operands")
    if mask & _CONST_OFFSET:
        raise instruction.error("a read takes no constant offset")


@handles("OpConstantSampler")
def _sampler(writer: FunctionWriter, instruction: Instruction) -> None:
    arguments = [Value(INTS[32], str(number)) for number in instruction.numbers()]
    writer.define(instruction, writer.builtin("__spirv_ConstantSampler", writer.type(instruction), arguments))


for _operation in grammar().operations.values():
    if f"__spirv_{_operation.name[2:]}" in BUILTINS:
        HANDLERS.setdefault(_operation.name, _builtin)
