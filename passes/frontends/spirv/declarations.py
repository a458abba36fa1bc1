"""Declarations: the types, constants and variables of a module, by id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from passes.frontends.spirv import constants, folding
from passes.frontends.spirv.constants import Constant
from passes.frontends.spirv.errors import SpirvError as SpirvError
from passes.frontends.spirv.grammar import name_of, value_of
from passes.frontends.spirv.module import Linkage, Module
from passes.frontends.spirv.names import quoted
from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.types import (
    BFLOAT,
    BOOL,
    DEEPEST,
    FLOATS,
    INTS,
    LARGEST_SIZE,
    SPACE_OF,
    VOID,
    AnyType,
    Bool,
    Float,
    Fragment,
    FunctionType,
    Int,
    MatrixType,
    MatrixUse,
    Opaque,
    PointerType,
    Type,
    array_of,
    int_of,
    matrix_of,
    struct_of,
    vector_of,
)
from passes.frontends.spirv.validation import library_functions

_GLOBAL = 1


@dataclass
class Variable:
    """A variable of the module. `built_in` names the builtin whose value it holds."""

    instruction: Instruction
    type: PointerType
    pointee: AnyType
    initialiser: int | None
    built_in: str | None
    linkage: Linkage | None

    @property
    def symbol(self) -> str:
        return f"@.g{self.instruction.result}" if self.linkage is None else quoted(self.linkage.name)


@dataclass
class Declarations:
    """Holds the declarations of a module, which precede its functions."""

    module: Module
    types: dict[int, AnyType] = field(default_factory=dict)
    function_types: dict[int, FunctionType] = field(default_factory=dict)
    constants: dict[int, Constant] = field(default_factory=dict)
    variables: dict[int, Variable] = field(default_factory=dict)
    structs: list[Type] = field(default_factory=list)
    specialization: Mapping[int, bytes] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)
    """The specialization constants that were given values."""
    raw: dict[int, bytes] = field(default_factory=dict)
    """The bytes of scalar specialization constants as the module writes them, by id."""
    matrix_lanes: int | None = None
    """The size of the subgroups that hold matrices, if there are any."""

    def type(self, instruction: Instruction, number: int) -> AnyType:
        """Returns the type of values that an id names.

        Raises:
            SpirvError: The id names none.
        """
        found = self.types.get(number)
        if found is None:
            raise instruction.error(f"%{number} is not a type that values have")
        return found

    def data(self, instruction: Instruction, number: int) -> Type:
        """Returns a type that is neither void nor a pointer."""
        found = self.type(instruction, number)
        if not isinstance(found, Type) or found is VOID:
            raise instruction.error(f"%{number} is a type that cannot stand here")
        return found


def declare(module: Module, specialization: Mapping[int, bytes]) -> Declarations:
    """Returns the declarations of a module.

    Args:
        module: The module.
        specialization: The bytes of specialization constants by their SpecIds.

    Raises:
        SpirvError: A declaration is wrong or not supported.
    """
    found = Declarations(module, specialization=specialization)
    for instruction in module.declarations:
        name = instruction.name
        if name == "OpVariable":
            _variable(found, instruction)
        elif name in constants.CONSTANTS:
            found.constants[instruction.result] = constants.evaluate(found, instruction)
        elif name == "OpSpecConstantOp":
            found.constants[instruction.result] = folding.evaluate(found, instruction)
        elif name.startswith("OpType"):
            _declare_type(found, instruction)
        else:
            raise instruction.error("it may not stand outside of a function")
    return found


def _variable(found: Declarations, instruction: Instruction) -> None:
    kind = found.type(instruction, instruction.type)
    if not isinstance(kind, PointerType):
        raise instruction.error("its type is not a pointer")
    if not isinstance(kind.pointee, Type | PointerType) or kind.pointee is VOID:
        raise instruction.error("its type does not point to data")
    # Intel's translator gives variables of modules pointers for those of functions.
    if SPACE_OF.get(kind.storage) != SPACE_OF.get(instruction.number(0)):
        storage = name_of("StorageClass", instruction.number(0))
        raise instruction.error(f"its storage class is {storage}, that of its type is not")
    initialiser = instruction.number(1) if len(instruction.operands) > 1 else None
    found.variables[instruction.result] = Variable(
        instruction,
        kind,
        kind.pointee,
        initialiser,
        found.module.built_in(instruction.result),
        _linkage(found, instruction, kind),
    )
    found.constants[instruction.result] = Constant(kind, found.variables[instruction.result].symbol)
    if found.variables[instruction.result].built_in:
        found.constants[instruction.result].deferred = instruction


def _linkage(found: Declarations, instruction: Instruction, kind: PointerType) -> Linkage | None:
    """Returns how a variable is linked: functions that other modules call work on the variables of their own module."""
    linkage = found.module.linkage(instruction.result)
    is_global = SPACE_OF.get(kind.storage) == _GLOBAL and found.module.built_in(instruction.result) is None
    if linkage is None and is_global and library_functions(found.module):
        return Linkage(f".g{instruction.result}.{found.module.binary.digest}", "Export")
    return linkage


def _declare_type(found: Declarations, instruction: Instruction) -> None:
    number = instruction.result
    if instruction.name == "OpTypeForwardPointer":
        found.types.setdefault(instruction.number(0), _pointer(instruction, instruction.number(1)))
        return
    if instruction.name == "OpTypeFunction":
        result, *parameters = (found.type(instruction, each) for each in instruction.numbers())
        if VOID in parameters:
            raise instruction.error("a parameter has the type void")
        found.function_types[number] = FunctionType(result, tuple(parameters))
        return
    kind = _type(found, instruction)
    if kind.size > LARGEST_SIZE:
        raise instruction.error(f"the type has {kind.size} bytes; the most are {LARGEST_SIZE}")
    if kind.depth > DEEPEST:
        raise instruction.error(f"types are nested more than {DEEPEST} deep")
    if instruction.name == "OpTypeStruct" and isinstance(kind, Type):
        found.structs.append(kind)
    found.types[number] = kind


def _pointer(instruction: Instruction, storage: int) -> PointerType:
    if storage not in SPACE_OF:
        raise instruction.error(f"kernels have no storage class {name_of('StorageClass', storage)}")
    return PointerType(storage, SPACE_OF[storage])


def _type(found: Declarations, instruction: Instruction) -> AnyType:
    match instruction.name:
        case "OpTypeVoid":
            return VOID
        case "OpTypeBool":
            return BOOL
        case "OpTypeInt":
            return _int(found, instruction)
        case "OpTypeFloat":
            if instruction.numbers() == (BFLOAT.width, _BFLOAT_ENCODING):
                return BFLOAT
            if instruction.number(0) not in FLOATS or len(instruction.operands) > 1:
                raise instruction.error("floats have 16, 32 or 64 bits, in the encoding of IEEE 754 or as BFloat16KHR")
            return FLOATS[instruction.number(0)]
        case "OpTypeVector":
            element, count = found.type(instruction, instruction.number(0)), instruction.number(1)
            if not isinstance(element, Bool | Int | Float):
                raise instruction.error("the components of a vector are not scalars")
            if count not in (2, 3, 4, 8, 16) and not (count and _declares(found, *_ANY_COUNT)):
                raise instruction.error(f"a vector has 2, 3, 4, 8 or 16 components, not {count}")
            return vector_of(element, count)
        case "OpTypeArray":
            return array_of(_element(found, instruction), constants.length(found, instruction, instruction.number(1)))
        case "OpTypeStruct":
            members = tuple(found.type(instruction, each) for each in instruction.numbers())
            if VOID in members:
                raise instruction.error("a member has the type void")
            packed = found.module.decoration(instruction.result, "CPacked") is not None
            return struct_of(instruction.result, members, packed)
        case "OpTypePointer":
            return _pointer_type(found, instruction)
        case "OpTypeCooperativeMatrixKHR":
            return _matrix(found, instruction)
        case _:
            return _opaque(found, instruction)


_BFLOAT_ENCODING = value_of("FPEncoding", "BFloat16KHR")

_SUBGROUP = value_of("Scope", "Subgroup")
_SUBGROUP_SIZE = value_of("ExecutionMode", "SubgroupSize")
_USES = {use.value: use for use in MatrixUse}
_ELEMENT_WIDTHS = (8, 16, 32)
_MOST_ELEMENTS = 1024
"""The most elements of a matrix in a lane: more than its registers have room for."""


def _matrix(found: Declarations, instruction: Instruction) -> MatrixType:
    """Returns the type of a cooperative matrix, of which each lane of a subgroup holds a part."""
    element = found.type(instruction, instruction.number(0))
    if not isinstance(element, Int | Float) or element.width not in _ELEMENT_WIDTHS:
        raise instruction.error(f"its elements are {element.llvm}, which no matrix engine has")
    scope, rows, columns, use = (_size(found, instruction, each) for each in instruction.numbers()[1:])
    if scope != _SUBGROUP:
        raise instruction.error(f"its scope is {name_of('Scope', scope)}, not Subgroup")
    if use not in _USES:
        raise instruction.error(f"its use is {use}, not MatrixAKHR, MatrixBKHR or MatrixAccumulatorKHR")
    found.matrix_lanes = found.matrix_lanes or _matrix_lanes(found.module, instruction)
    fragment = Fragment(rows, columns, _USES[use], found.matrix_lanes, element.width)
    row_step = fragment.depth if fragment.use is MatrixUse.B else 1
    for what, size, step in (("rows", rows, row_step), ("columns", columns, fragment.block_columns)):
        if not size or size % step:
            raise instruction.error(
                f"a matrix of {rows}x{columns} {element.llvm} with the use {name_of('CooperativeMatrixUse', use)} has "
                f"{size} {what}, which subgroups of {fragment.lanes} lanes hold in multiples of {step}"
            )
    count = fragment.blocks * fragment.block_size
    if count > _MOST_ELEMENTS:
        raise instruction.error(f"each lane would hold {count} elements of it; the most are {_MOST_ELEMENTS}")
    return matrix_of(element, fragment)


def _size(found: Declarations, instruction: Instruction, number: int) -> int:
    constant = found.constants.get(number)
    if constant is None or constant.value is None or not isinstance(constant.type, Int):
        raise instruction.error(f"%{number} is not an integer constant")
    return constant.value


_MATRIX_LANES = (16, 8)
"""The sizes of subgroups that have as many lanes as matrix engines have columns."""


def _matrix_lanes(module: Module, instruction: Instruction) -> int:
    """Returns the size of subgroups that kernels require, or the largest one for which columns suffice."""
    stated = {each.number(2) for each in module.modes if each.number(1) == _SUBGROUP_SIZE}
    if len(stated) > 1:
        raise instruction.error(f"kernels require subgroups of different sizes: {sorted(stated)}")
    if stated:
        (lanes,) = stated
        if lanes not in _MATRIX_LANES:
            raise instruction.error(f"subgroups of {lanes} hold no matrices, those of 8 or 16 do")
        return lanes
    numbers = {each.result: each.number(0) for each in module.declarations if each.name == "OpConstant"}
    numbers |= {each.result: 0 for each in module.declarations if each.name == "OpConstantNull"}
    types = [each.numbers() for each in module.declarations if each.name == instruction.name]
    columns = [numbers.get(row[3], 0) for row in types if numbers.get(row[4]) != MatrixUse.A.value]
    return next((lanes for lanes in _MATRIX_LANES if not any(each % lanes for each in columns)), _MATRIX_LANES[0])


def _int(found: Declarations, instruction: Instruction) -> Int:
    width, signedness = instruction.number(0), instruction.number(1)
    if width not in INTS and not (1 < width < max(INTS) and _declares(found, _ANY_WIDTH)):
        raise instruction.error(f"the widths of integers are 8, 16, 32 and 64, not {width}")
    if signedness:
        raise instruction.error(f"the signedness of integers in kernels is 0, not {signedness}")
    return int_of(width)


def _declares(found: Declarations, *capabilities: str) -> bool:
    """Says whether a module declares any of some capabilities."""
    return any(name_of("Capability", each.number(0)) in capabilities for each in found.module.capabilities)


def _element(found: Declarations, instruction: Instruction) -> AnyType:
    element = found.type(instruction, instruction.number(0))
    if element is VOID:
        raise instruction.error("its elements have the type void")
    return element


def _pointer_type(found: Declarations, instruction: Instruction) -> PointerType:
    known = found.types.get(instruction.result)
    pointer = known if isinstance(known, PointerType) else _pointer(instruction, instruction.number(0))
    if pointer.storage != instruction.number(0):
        raise instruction.error("it was declared forward with another storage class")
    number = instruction.number(1)
    pointer.pointee = found.function_types.get(number) or found.type(instruction, number)
    return pointer


_ANY_WIDTH = "ArbitraryPrecisionIntegersALTERA"
"""The capability of modules that have integers between the widths of OpenCL."""
_ANY_COUNT = ("VectorAnyINTEL", "VectorComputeINTEL")
"""The capabilities of modules whose vectors have any number of components."""
_DIMENSIONS = {0: "1d", 1: "2d", 2: "3d", 5: "1d_buffer"}
_ACCESS = {0: "ro", 1: "wo", 2: "rw"}

_OPAQUE = {
    "OpTypeSampler": Opaque('target("spirv.Sampler")', 8, 8, name="ocl_sampler"),
    "OpTypeEvent": Opaque('target("spirv.Event")', 8, 8, name="ocl_event"),
}


def _opaque(found: Declarations, instruction: Instruction) -> Opaque:
    if instruction.name == "OpTypeOpaque":
        return Opaque('target("spirv.Opaque")', 0, 1, name="opaque")
    if instruction.name == "OpTypeImage":
        return _image(found, instruction)
    if instruction.name == "OpTypeSampledImage":
        image = found.type(instruction, instruction.number(0))
        if not isinstance(image, Opaque) or not image.is_image:
            raise instruction.error(f"%{instruction.number(0)} is not the type of an image")
        text = image.llvm.replace('"spirv.Image"', '"spirv.SampledImage"')
        return Opaque(text, 8, 8, name=image.name.replace("ocl_image", "__spirv_SampledImage"))
    known = _OPAQUE.get(instruction.name)
    if known is None:
        raise instruction.error("kernels have no such type")
    return known


def _image(found: Declarations, instruction: Instruction) -> Opaque:
    numbers = instruction.numbers()
    sampled_type, dimension, depth, arrayed, multisampled, sampled, image_format = numbers[:7]
    rules = {
        "its sampled type is not void": found.types.get(sampled_type) is not VOID,
        f"its dimension is {name_of('Dim', dimension)}, not 1D, 2D, 3D or Buffer": dimension not in _DIMENSIONS,
        "only 2D images may have a depth": depth not in (0, 1) or (depth == 1 and dimension != 1),
        "only 1D and 2D images may be arrays": arrayed not in (0, 1) or (arrayed == 1 and dimension not in (0, 1)),
        "images have one sample": multisampled != 0,
        f"Sampled is {sampled}, not 0": sampled != 0,
        f"its format is {name_of('ImageFormat', image_format)}, not Unknown": image_format != 0,
        "it has no access qualifier": len(numbers) < 8 or numbers[7] not in _ACCESS,
    }
    for rule, broken in rules.items():
        if broken:
            raise instruction.error(rule)
    access = numbers[7]
    text = ", ".join(map(str, (dimension, depth, arrayed, multisampled, sampled, image_format, access)))
    name = f"ocl_image{_DIMENSIONS[dimension]}{'_array' * arrayed}{'_depth' * depth}_{_ACCESS[access]}"
    return Opaque(f'target("spirv.Image", void, {text})', 8, 8, name=name, access=access, is_image=True)
