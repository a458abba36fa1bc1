"""Extended instructions of OpenCL.std, which become calls of OpenCL's functions."""

from __future__ import annotations

import re

from passes.frontends.builtins import BUILTINS, Lowering
from passes.frontends.spirv.constants import Constant
from passes.frontends.spirv.grammar import Operation, grammar, name_of
from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.translation.writer import FunctionWriter, Value, handles
from passes.frontends.spirv.types import INTS, VOID, AnyType, Array, PointerType, VectorType

_NAMES = {"fclamp": "clamp", "fmax_common": "max", "fmin_common": "min"}

_UNSIGNED = {
    "s_upsample": (False, True),
    "vloadn": (True, False),
    "vload_half": (True, False),
    "vload_halfn": (True, False),
    "vloada_halfn": (True, False),
    "vstoren": (False, True, False),
    "vstore_half": (False, True, False),
    "vstore_half_r": (False, True, False),
    "vstore_halfn": (False, True, False),
    "vstore_halfn_r": (False, True, False),
    "vstorea_halfn": (False, True, False),
    "vstorea_halfn_r": (False, True, False),
    "shuffle": (False, True),
    "shuffle2": (False, False, True),
    "nan": (True,),
    "prefetch": (False, True),
}
"""The arguments that are unsigned where OpenCL's functions differ from the prefix of the instruction."""

_IGNORED_SETS = ("NonSemantic.", "OpenCL.DebugInfo")


@handles("OpExtInst")
def _extended(writer: FunctionWriter, instruction: Instruction) -> None:
    name = writer.module.module.sets.get(instruction.number(0))
    if name is None:
        raise instruction.error(f"%{instruction.number(0)} is not a set of extended instructions")
    if name.startswith(_IGNORED_SETS):
        return
    operation = grammar().opencl.get(instruction.number(1))
    if name != "OpenCL.std" or operation is None:
        raise instruction.error(f"{name} has no instruction {instruction.number(1)} that kernels can use")
    expected = len(operation.operands)
    given = len(instruction.operands) - 2
    if given < expected - (operation.operands[-1:] == ("IdRef*",)) or (
        operation.name != "printf" and given != expected
    ):
        raise instruction.error(f"{operation.name} has {given} operands and takes {expected}")
    if operation.name == "printf":
        _printf(writer, instruction)
    else:
        _function(writer, instruction, operation)


def _function(writer: FunctionWriter, instruction: Instruction, operation: Operation) -> None:
    result = writer.type(instruction)
    numbers = instruction.numbers(2)
    values: list[Value] = []
    literals: list[int] = []
    for number, kind in zip(numbers, operation.operands, strict=True):
        if kind == "IdRef":
            values.append(writer.value(instruction, number))
        else:
            literals.append(number)
    name = _NAMES.get(operation.name, re.sub("^[su]_", "", operation.name))
    unsigned = _UNSIGNED.get(operation.name, (operation.name.startswith("u_"),))
    if "load" in name or "store" in name:
        name = _memory_name(instruction, operation.name, values[0].type.count, literals)
    elif BUILTINS[name].lowering is Lowering.SCALAR:
        _check_result(instruction, name, values[0].type, result)
    writer.finish_call(instruction, writer.builtin(name, result, values, unsigned=unsigned))


def _memory_name(instruction: Instruction, name: str, stored: int, literals: list[int]) -> str:
    """Returns the function of an instruction that loads or stores vectors, such as `vstore_half4_rtz`."""
    rounded = name.endswith("_r")
    name = name.removesuffix("_r")
    if name.endswith("n"):
        count = literals[0] if "load" in name else stored
        if count not in (2, 3, 4, 8, 16):
            raise instruction.error(f"{name} moves 2, 3, 4, 8 or 16 components, not {count}")
        name = f"{name[:-1]}{count}"
    if not rounded:
        return name
    if not 0 <= literals[-1] <= 3:
        raise instruction.error(f"there is no rounding mode {literals[-1]}")
    return f"{name}_{name_of('FPRoundingMode', literals[-1]).lower()}"


def _check_result(instruction: Instruction, name: str, argument: AnyType, result: AnyType) -> None:
    expected = argument.llvm
    if name == "ilogb":
        expected = f"<{argument.count} x i32>" if isinstance(argument, VectorType) else "i32"
    if result.llvm != expected:
        raise instruction.error(f"{name} of {argument.llvm} gives {expected}, not {result.llvm}")


def _printf(writer: FunctionWriter, instruction: Instruction) -> None:
    values = [writer.value(instruction, number) for number in instruction.numbers(2)]
    if not values or not isinstance(values[0].type, PointerType) or values[0].type.space != 2:
        raise instruction.error("the format of printf is not a pointer to UniformConstant")
    if writer.type(instruction) != INTS[32] or any(each.type is VOID for each in values):
        raise instruction.error("printf returns a 32-bit integer")
    writer.module.formats.append(_format(writer, instruction, instruction.number(2)))
    name = writer.module.declare(instruction, "printf", "i32", ["ptr addrspace(2)", "..."])
    arguments = ", ".join(each.typed for each in values)
    writer.define(instruction, f"call spir_func i32 (ptr addrspace(2), ...) {name}({arguments})")


def _format(writer: FunctionWriter, instruction: Instruction, number: int) -> bytes:
    """Returns the text of a format: that of the variable at which its pointer starts."""
    for _ in range(_LONGEST_CHAIN):
        step = writer.definition(number)
        if step is None or step.name not in ("OpBitcast", "OpCopyObject", *_CHAINS):
            break
        number = step.number(0)
    constant = writer.declarations.constants.get(number)
    symbol = constant.text if constant else ""
    found = re.search(r"@\.g(\d+)\b", symbol)
    variable = writer.declarations.variables.get(int(found[1])) if found else None
    initialiser = writer.declarations.constants.get(variable.initialiser) if variable and variable.initialiser else None
    text = _text(initialiser) if initialiser else None
    if text is None:
        raise instruction.error("the format of printf is not a constant string")
    return text


_LONGEST_CHAIN = 64
"""The most casts between a format and its variable."""

_CHAINS = ("OpAccessChain", "OpInBoundsAccessChain", "OpPtrAccessChain", "OpInBoundsPtrAccessChain")


def _text(constant: Constant) -> bytes | None:
    """Returns the bytes of a string up to its end."""
    if not isinstance(constant.type, Array) or constant.type.element != INTS[8]:
        return None
    values = [each.value for each in constant.parts or ()]
    return bytes(value or 0 for value in values).partition(b"\0")[0]
