"""Imports a module: its variables, and a `gpu.func` for each kernel."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    FixedBitwidthType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    UnitAttr,
    VectorType,
    i8,
    i32,
    i64,
)
from xdsl.dialects.llvm import AllocaOp, ExtractValueOp, IntToPtrOp, LLVMPointerType
from xdsl.dialects.vector import ShuffleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from passes.frontends.llvm import functions, importer as room
from passes.frontends.llvm.importer.function import FunctionImporter
from passes.frontends.llvm.importer.layout import (
    MOST_LEAVES,
    alignment,
    is_aggregate,
    leaf_count,
    leaves,
    plain,
)
from passes.frontends.llvm.importer.memory import store
from passes.frontends.llvm.importer.operations import reinterpreted
from passes.frontends.llvm.importer.variables import import_variable
from passes.frontends.llvm.information import source_arguments, vec_type_hint
from passes.frontends.llvm.reader import (
    Access,
    Callee,
    Function,
    Module,
    Parameter,
    elements_of,
)
from passes.support.collection import collection_paused
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream import gpu
from xegpu.dialects.upstream.spirv import EntryPointABIAttr
from xegpu.dialects.upstream.vector import FromElementsOp
from xegpu.dialects.xegpu import AllocNbarrierOp
from xegpu.discovery import import_modules
from xegpu.targets import COMMON_SUBGROUP_SIZE

for _room in (room, functions):
    import_modules(_room)  # its modules register importers

_SPACES = (1, 2, 3)


@dataclass(frozen=True)
class Requirements:
    """Holds a kernel's requirements on launches: the size of work-groups, and that of subgroups."""

    group: Sequence[int] | None = None
    subgroup: int | None = None


@collection_paused()
def import_module(
    module: Module,
    requirements: Mapping[str, Requirements] | None = None,
    names: Collection[str] | None = None,
    lanes: int = COMMON_SUBGROUP_SIZE,
) -> ModuleOp:
    """Returns a module of kernels as MLIR.

    Args:
        module: The kernels, and nothing else that has a body.
        requirements: What kernels require, by their names, where the module's metadata does not tell.
        names: The kernels to import; None for all.
        lanes: The subgroup size of kernels that require none.

    Raises:
        CompileError: For what kernels cannot do.

    """
    for function in module.functions:
        if not function.is_kernel and names is None:
            why = ": it calls itself, which kernels cannot" if function.name in _called(module, function) else ""
            raise CompileError(function.statement.location, f"'{function.name}' is no kernel, and was not inlined{why}")
    variables = [variable for variable in module.variables.values() if variable.space in _SPACES]
    operations: list[Operation] = [import_variable(variable, module) for variable in variables]
    for function in module.functions:
        if names is None or function.name in names:
            stated = (requirements or {}).get(function.name) or _stated(module, function)
            operations += _kernel(module, function, stated, lanes)
    return ModuleOp([gpu.ModuleOp("kernels", operations)])


def _called(module: Module, function: Function) -> set[str]:
    """Returns the names of the functions that one calls, and of those that these call."""
    functions = {each.name: each for each in module.functions}
    found: set[str] = set()
    pending = [function]
    while pending:
        instructions = [each for block in pending.pop().blocks for each in block.instructions]
        names = {each.detail.name for each in instructions if isinstance(each.detail, Callee)} - found
        found |= names
        pending += [functions[name] for name in names if name in functions]
    return found


def _stated(module: Module, function: Function) -> Requirements:
    """Returns the requirements in the metadata of a kernel."""
    groups = module.metadata.numbers(function.metadata.get("reqd_work_group_size", ""))
    subgroup = module.metadata.numbers(function.metadata.get("intel_reqd_sub_group_size", ""))
    return Requirements(groups or None, subgroup[0] if subgroup else None)


def _kernel(module: Module, function: Function, stated: Requirements, lanes: int) -> list[Operation]:
    """Returns a kernel, behind the work-group memory of the functions that it calls."""
    block = Block(arg_types=[_argument(parameter) for parameter in function.parameters])
    region = Region(block)
    is_whole = _WHOLE in function.attributes
    lanes = 1 if is_whole else stated.subgroup or lanes
    importer = FunctionImporter(module, function, region, lanes)
    importer.builder.location = function.statement.location
    sources = source_arguments(module, function)
    for parameter, argument, source in zip(function.parameters, block.args, sources, strict=True):
        if source.name.isidentifier():
            argument.name_hint = source.name
        importer.values[parameter.name] = _passed(importer, parameter, argument)
    importer.run()
    groups = stated.group or ()
    kernel = gpu.FuncOp(
        function.name,
        ([argument.type for argument in block.args], []),
        region,
        kernel=True,
        known_block_size=(groups[0], groups[1], groups[2]) if len(groups) == 3 else None,
    )
    if is_whole:
        kernel.attributes["VectorComputeFunctionINTEL"] = UnitAttr()
        _reserve(function, kernel, importer.reserved)
    else:
        kernel.attributes["spirv.entry_point_abi"] = EntryPointABIAttr(subgroup_size=lanes)
    if stated.subgroup is None and not is_whole:
        kernel.attributes[gpu.CHOSEN_SUBGROUP_SIZE] = UnitAttr()
    if hint := module.metadata.numbers(function.metadata.get("work_group_size_hint", "")):
        kernel.attributes[gpu.WORK_GROUP_SIZE_HINT] = DenseArrayBase.from_list(i32, hint)
    if type := vec_type_hint(module, function):
        kernel.attributes[gpu.VEC_TYPE_HINT] = StringAttr(type)
    if "kernel_arg_type" in function.metadata:
        words = (ArrayAttr(map(StringAttr, source)) for source in sources)
        kernel.attributes[gpu.SOURCE_ARGUMENTS] = ArrayAttr(words)
    kernel.location = function.statement.location
    return [*importer.shared.values(), kernel]


_WHOLE = "VCFunction"
"""The attribute of functions that work on whole subgroups."""


def _reserve(function: Function, kernel: gpu.FuncOp, reserved: int) -> None:
    """Gives a kernel of whole subgroups the work-group memory and the barriers that its attributes state.

    Its addresses in that memory are numbers that count from the start.
    """
    size, barriers = (int(function.attributes.get(name) or 0) for name in ("VCSLMSize", "VCNamedBarrierCount"))
    size = max(size, reserved)
    block = kernel.body.blocks[0]
    if size:
        space = gpu.AddressSpaceAttr(gpu.AddressSpace.WORKGROUP)
        block.insert_arg(MemRefType(i8, [size], memory_space=space), len(block.args))
        kernel.attributes["workgroup_attributions"] = IntegerAttr(1, i64)
    if barriers:
        first = AllocNbarrierOp(barriers)
        first.location = kernel.location
        Rewriter.insert_op(first, InsertPoint.at_start(block))


_OF_THREE = 3


def _argument(parameter: Parameter) -> Attribute:
    """Returns the type of an argument. Vectors of three are passed as OpenCL has them, in the room of four."""
    if parameter.by_value is not None:
        return plain(parameter.by_value)
    type = parameter.type
    if isinstance(type, VectorType) and type.element_count() == _OF_THREE:
        return VectorType(type.get_element_type(), [_OF_THREE + 1])
    return plain(type)


def _passed(importer: FunctionImporter, parameter: Parameter, argument: SSAValue) -> tuple[SSAValue, ...]:
    """Returns the parts of a parameter; a pointer to a structure that is passed by value gets a place for it."""
    if parameter.by_value is not None:
        return (_placed(importer, parameter.by_value, argument),)
    if is_aggregate(parameter.type):
        return _unpacked(importer, parameter.type, argument)
    if argument.type == plain(parameter.type):
        return (argument,)
    assert isinstance(parameter.type, VectorType)
    first = DenseArrayBase.from_list(i64, list(range(_OF_THREE)))
    return (importer.builder.add(ShuffleOp(argument, argument, first, result_type=parameter.type)),)


def _placed(importer: FunctionImporter, type: Attribute, argument: SSAValue) -> SSAValue:
    """Returns a pointer to the value of an argument in private memory."""
    builder, access = importer.builder, Access(alignment(type))
    parts = _parts(importer, type, argument)
    pointer = builder.add(AllocaOp(builder.i32(1), plain(type), access.alignment))
    store(importer, parts, pointer, plain(type), access)
    return pointer


def _parts(importer: FunctionImporter, type: Attribute, argument: SSAValue) -> tuple[SSAValue, ...]:
    """Returns the parts that the value of an argument consists of."""
    builder = importer.builder
    if leaf_count(type) > MOST_LEAVES:
        builder.error(f"takes a value of type {type}, which consists of more than {MOST_LEAVES} parts")
    paths = ((DenseArrayBase.from_list(i64, path), leaf) for path, leaf in _paths(plain(type)))
    return tuple(builder.add(ExtractValueOp(path, argument, leaf)) if len(path) else argument for path, leaf in paths)


def _unpacked(importer: FunctionImporter, type: Attribute, argument: SSAValue) -> tuple[SSAValue, ...]:
    """Returns the parts of a type, whose packed structures the argument has as bytes."""
    parts = _parts(importer, type, argument)
    found = {offset: part for part, (_, offset) in zip(parts, leaves(plain(type)), strict=True)}
    return tuple(
        part if (part := found[offset]).type == leaf else _from_bytes(importer, found, offset, leaf)
        for leaf, offset in leaves(type)
    )


def _from_bytes(importer: FunctionImporter, found: Mapping[int, SSAValue], offset: int, type: Attribute) -> SSAValue:
    """Returns a value that is put together of the bytes from an offset on."""
    importer.check(type)
    number = i64 if isinstance(type, LLVMPointerType) else type
    element = number.get_element_type() if isinstance(number, VectorType) else number
    bits = (
        element.bitwidth * (number.element_count() if isinstance(number, VectorType) else 1)
        if isinstance(element, FixedBitwidthType)
        else 1
    )
    if bits % 8:
        importer.builder.error(f"takes type {type} in a packed structure, which is not supported")
    values = [found[offset + n] for n in range(bits // 8)]
    together = importer.builder.add(FromElementsOp(values, VectorType(i8, [len(values)])))
    value = reinterpreted(importer, together, number)
    if number is type:
        return value
    return importer.builder.add(IntToPtrOp.create(operands=[value], result_types=[type]))


def _paths(type: Attribute) -> Iterator[tuple[list[int], Attribute]]:
    """Yields the path to each leaf of a type, and its type."""
    parts = elements_of(type) if is_aggregate(type) else None
    if parts is None:
        yield [], type
        return
    for index, part in enumerate(parts):
        for path, leaf in _paths(part):
            yield [index, *path], leaf
