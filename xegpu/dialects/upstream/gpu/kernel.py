"""Ops that hold device code: modules, functions, and the ops that only they contain.

xDSL's ops of these names have no custom assembly; functions have no attributions of memory, and barriers no effects.

https://mlir.llvm.org/docs/Dialects/GPU/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    attr_def,
    irdl_op_definition,
    opt_attr_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    NoMemoryEffect,
    NoTerminator,
    ReturnLike,
    SymbolOpInterface,
    SymbolTable,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.func.signature import (
    attribute_lists,
    parse_arguments,
    parse_results,
    print_arguments,
    print_results,
)
from xegpu.dialects.upstream.gpu.attributes import AddressSpace, AddressSpaceAttr
from xegpu.dialects.upstream.terminators import ensure_terminator

Dimensions = tuple[int, int, int]

WORK_GROUP_SIZE_HINT = "gpu.work_group_size_hint"

VEC_TYPE_HINT = "gpu.vec_type_hint"
"""The attribute of kernels that names the type that their source hints at."""

SOURCE_ARGUMENTS = "gpu.source_arguments"
"""The attribute of kernels that has the fields of each argument as the source declares it, as strings."""

CHOSEN_SUBGROUP_SIZE = "gpu.chosen_subgroup_size"
"""The attribute of kernels whose subgroup size a front end has chosen, as their program asks for none."""


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """Every work-item of the work-group waits for the others, and sees what they have written.

    `gpu.barrier memfence [#gpu.address_space<workgroup>]`

    The memory that must be seen may be named, as releases after LLVM 22 have it; without a list, it is all memory.
    """

    name = "gpu.barrier"
    address_spaces = opt_prop_def(ArrayAttr)
    assembly_format = "(`memfence` $address_spaces^)? attr-dict"

    def __init__(self) -> None:
        super().__init__()


@irdl_op_definition
class ModuleOp(IRDLOperation):
    """Functions that run on a device, and the targets that they are compiled for.

    ```mlir
    gpu.module @kernels [#spirv.target_env<#spirv.vce<v1.0, [Kernel], []>, #spirv.resource_limits<>>] {
      gpu.func @k() kernel {
        gpu.return
      }
    }
    ```
    """

    name = "gpu.module"
    sym_name = prop_def(SymbolNameConstraint())
    targets = opt_prop_def(ArrayAttr)
    offloading_handler = opt_prop_def(Attribute, prop_name="offloadingHandler")
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface(), SymbolTable())

    def __init__(self, name: str | StringAttr, body: Region | Sequence[Operation]):
        if isinstance(name, str):
            name = StringAttr(name)
        if not isinstance(body, Region):
            body = Region(Block(body))
        super().__init__(properties={"sym_name": name}, regions=[body])

    @classmethod
    def parse(cls, parser: Parser) -> ModuleOp:
        properties: dict[str, Attribute] = {"sym_name": parser.parse_symbol_name()}
        if parser.parse_optional_punctuation("<") is not None:
            properties["offloadingHandler"] = parser.parse_attribute()
            parser.parse_punctuation(">")
        targets = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_attribute)
        if targets is not None:
            properties["targets"] = ArrayAttr(targets)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = parser.parse_region()
        if not body.blocks:
            body.add_block(Block())
        return cls.create(
            properties=properties, attributes={} if attributes is None else attributes.data, regions=[body]
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        if self.offloading_handler is not None:
            printer.print_string(" ")
            with printer.in_angle_brackets():
                printer.print_attribute(self.offloading_handler)
        if self.targets is not None:
            printer.print_string(" ")
            printer.print_attribute(self.targets)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False, print_block_terminators=False)

    def verify_(self) -> None:
        if self.targets is not None and not len(self.targets):
            raise VerifyException("expects at least one target where targets are given")


@irdl_op_definition
class ModuleEndOp(IRDLOperation):
    """The terminator that LLVM 19 writes into a `gpu.module` in generic form; the custom form leaves it out.

    `gpu.module_end`
    """

    name = "gpu.module_end"
    assembly_format = "attr-dict"

    traits = traits_def(HasParent(ModuleOp), IsTerminator(), NoMemoryEffect())


@irdl_op_definition
class FuncOp(IRDLOperation):
    """A function that runs on a device; a kernel, if the host may launch it.

    ```mlir
    gpu.func @k(%m: memref<8xf32>) workgroup(%s : memref<64xf32, #gpu.address_space<workgroup>>)
        private(%p : memref<4xf32, #gpu.address_space<private>>)
        kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      gpu.return
    }
    ```

    Arguments of the entry block are the function's own, then work-group memory, then private memory.
    """

    name = "gpu.func"
    sym_name = attr_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    workgroup_attrib_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    private_attrib_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    known_block_size = opt_prop_def(DenseArrayBase.constr(i32))
    known_grid_size = opt_prop_def(DenseArrayBase.constr(i32))
    known_cluster_size = opt_prop_def(DenseArrayBase.constr(i32))
    kernel = opt_attr_def(UnitAttr, attr_name="gpu.kernel")
    workgroup_attributions = opt_attr_def(IntegerAttr[I64])
    body = region_def()

    traits = traits_def(IsolatedFromAbove(), HasParent(ModuleOp), SymbolOpInterface())

    def __init__(
        self,
        name: str,
        function_type: FunctionType | tuple[Sequence[Attribute], Sequence[Attribute]],
        region: Region | None = None,
        *,
        kernel: bool = False,
        workgroup_attributions: int = 0,
        known_block_size: Dimensions | None = None,
    ):
        if isinstance(function_type, tuple):
            function_type = FunctionType.from_lists(*function_type)
        block_size = None if known_block_size is None else DenseArrayBase.from_list(i32, known_block_size)
        super().__init__(
            properties={"function_type": function_type, "known_block_size": block_size},
            attributes={
                "sym_name": StringAttr(name),
                "gpu.kernel": UnitAttr() if kernel else None,
                "workgroup_attributions": IntegerAttr(workgroup_attributions, i64),
            },
            regions=[Region(Block(arg_types=function_type.inputs)) if region is None else region],
        )

    @property
    def is_kernel(self) -> bool:
        return self.kernel is not None

    @property
    def arguments(self) -> tuple[BlockArgument, ...]:
        """The operands that callers pass."""
        return self._entry_arguments[: self._workgroup_start]

    @property
    def workgroup_arguments(self) -> tuple[BlockArgument, ...]:
        """Memory that the work-group shares."""
        return self._entry_arguments[self._workgroup_start : self._private_start]

    @property
    def private_arguments(self) -> tuple[BlockArgument, ...]:
        """Memory of one work-item."""
        return self._entry_arguments[self._private_start :]

    @property
    def _entry_arguments(self) -> tuple[BlockArgument, ...]:
        entry = self.body.blocks.first
        return () if entry is None else entry.args

    @property
    def _workgroup_start(self) -> int:
        return len(self.function_type.inputs)

    @property
    def _private_start(self) -> int:
        shared = 0 if self.workgroup_attributions is None else self.workgroup_attributions.value.data
        return self._workgroup_start + shared

    @property
    def block_size(self) -> Dimensions | None:
        """The work-group size, where attribute `known_block_size` or `gpu.known_block_size` fixes it."""
        return _dimensions(self, "known_block_size")

    @property
    def block_size_hint(self) -> Dimensions | None:
        """The size that work-groups have unless a launch says otherwise: attribute `gpu.work_group_size_hint`."""
        return _dimensions(self, "work_group_size_hint")

    @property
    def grid_size(self) -> Dimensions | None:
        """The number of work-groups, where attribute `known_grid_size` or `gpu.known_grid_size` fixes it."""
        return _dimensions(self, "known_grid_size")

    @classmethod
    def parse(cls, parser: Parser) -> FuncOp:
        name = parser.parse_symbol_name()
        arguments = parse_arguments(parser)
        results = parse_results(parser)
        workgroup = parse_arguments(parser) if parser.parse_optional_keyword("workgroup") is not None else []
        private = parse_arguments(parser) if parser.parse_optional_keyword("private") is not None else []
        is_kernel = parser.parse_optional_keyword("kernel") is not None
        dictionary = parser.parse_optional_attr_dict_with_keyword(("sym_name", "function_type"))
        body = parser.parse_region([argument for argument, _ in (*arguments, *workgroup, *private)])
        if not results:
            ensure_terminator(body, ReturnOp)

        attributes: dict[str, Attribute] = dict(dictionary.data) if dictionary is not None else {}
        properties: dict[str, Attribute] = {
            "function_type": FunctionType.from_lists([a.type for a, _ in arguments], [type_ for type_, _ in results])
        }
        for key in _INHERENT & attributes.keys():
            properties[key] = attributes.pop(key)
        for key, described in (
            ("arg_attrs", arguments),
            ("res_attrs", results),
            ("workgroup_attrib_attrs", workgroup),
            ("private_attrib_attrs", private),
        ):
            if (lists := attribute_lists(attrs for _, attrs in described)) is not None:
                properties[key] = lists
        attributes["sym_name"] = name
        attributes["workgroup_attributions"] = IntegerAttr(len(workgroup), i64)
        if is_kernel:
            attributes["gpu.kernel"] = UnitAttr()
        return cls.create(properties=properties, attributes=attributes, regions=[body])

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        print_arguments(printer, self.arguments, self.arg_attrs, separator=": ")
        print_results(printer, self.function_type.outputs.data, self.res_attrs)
        for keyword, memory, attributes in (
            ("workgroup", self.workgroup_arguments, self.workgroup_attrib_attrs),
            ("private", self.private_arguments, self.private_attrib_attrs),
        ):
            if memory:
                printer.print_string(f" {keyword}")
                print_arguments(printer, memory, attributes, separator=" : ")
        if self.is_kernel:
            printer.print_string(" kernel")
        inherent = {key: value for key, value in self.properties.items() if key in _INHERENT}
        printer.print_op_attributes(
            dict(sorted({**inherent, **self.attributes}.items())),
            reserved_attr_names=("sym_name", "gpu.kernel", "workgroup_attributions"),
            print_keyword=True,
        )
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)

    def verify_(self) -> None:
        if not self.body.blocks:
            raise VerifyException("expected a body")
        types = self.body.blocks[0].arg_types
        inputs = self.function_type.inputs.data
        if self._private_start < len(inputs) or self._private_start > len(types):
            raise VerifyException(
                f"expected at least {self._private_start} arguments of the body region ({len(inputs)} inputs and the "
                f"workgroup attributions), got {len(types)}"
            )
        for number, (given, declared) in enumerate(zip(types, inputs, strict=False)):
            if given != declared:
                raise VerifyException(f"expected body region argument #{number} to be of type {declared}, got {given}")
        if self.is_kernel and self.function_type.outputs.data:
            raise VerifyException("expected void return type for kernel function")
        _verify_attributions(self.workgroup_arguments, AddressSpace.WORKGROUP)
        _verify_attributions(self.private_arguments, AddressSpace.PRIVATE)
        for name in ("known_block_size", "known_grid_size", "known_cluster_size"):
            size = self.properties.get(name, self.attributes.get(f"gpu.{name}"))
            if size is not None and not (
                isa(size, DenseArrayBase[IntegerType]) and size.elt_type == i32 and len(size) == 3
            ):
                raise VerifyException(f"attribute '{name}' must be an i32 array of 3 elements, got {size}")
            if isa(size, DenseArrayBase[IntegerType]) and any(value < 1 for value in size.get_values()):
                raise VerifyException(f"attribute '{name}' must hold positive sizes, got {size}")


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """`gpu.return %x : f32` ends a `gpu.func`."""

    name = "gpu.return"
    values = var_operand_def()

    traits = traits_def(IsTerminator(), ReturnLike(), HasParent(FuncOp), NoMemoryEffect())
    assembly_format = "attr-dict ($values^ `:` type($values))?"

    def __init__(self, values: Sequence[SSAValue | Operation] = ()):
        super().__init__(operands=[values])

    def verify_(self) -> None:
        func = self.parent_op()
        if not isinstance(func, FuncOp):
            return
        expected = func.function_type.outputs.data
        if self.operand_types != expected:
            returned = ", ".join(str(t) for t in self.operand_types) or "nothing"
            declared = ", ".join(str(t) for t in expected) or "nothing"
            raise VerifyException(f"returns {returned}, but function @{func.sym_name.data} returns {declared}")


_INHERENT = frozenset({"known_block_size", "known_grid_size", "known_cluster_size"})


def _dimensions(func: FuncOp, name: str) -> Dimensions | None:
    size = func.properties.get(name, func.attributes.get(f"gpu.{name}"))
    if not isa(size, DenseArrayBase[IntegerType]) or len(size) != 3:
        return None
    x, y, z = (int(value) for value in size.get_values())
    return (x, y, z)


def _verify_attributions(arguments: Sequence[BlockArgument], space: AddressSpace) -> None:
    for argument in arguments:
        memref = argument.type
        if not isa(memref, MemRefType):
            raise VerifyException(f"expected memref type in {space} attribution, got {memref}")
        if isinstance(memref.memory_space, AddressSpaceAttr) and memref.memory_space.data is not space:
            raise VerifyException(
                f"expected memory space {AddressSpaceAttr(space)} in attribution, got {memref.memory_space}"
            )
