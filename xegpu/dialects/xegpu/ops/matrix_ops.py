"""Operations on matrices in shared local memory."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, MemRefType, UnitAttr, VectorType, i64
from xdsl.dialects.utils import split_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.diagnostics import about
from xegpu.dialects.xegpu import rules
from xegpu.dialects.xegpu.attributes import MemorySpace
from xegpu.dialects.xegpu.folding import MixedList
from xegpu.dialects.xegpu.lane_maps import DISTRIBUTION, DistributionAttr
from xegpu.dialects.xegpu.matrices import MemDescType
from xegpu.dialects.xegpu.memory import memory_space_number
from xegpu.dialects.xegpu.ownership import lane_grid
from xegpu.dialects.xegpu.syntax import (
    CommonFormOp,
    check_mixed,
    mixed,
    parse_dictionaries,
    parse_index_list,
    print_dictionaries,
    print_index_list,
    without_offsets,
)
from xegpu.dialects.xegpu.types import element_bits


@irdl_op_definition
class CreateMemDescOp(CommonFormOp):
    """Describes shared local memory as a matrix.

    `%md = xegpu.create_mem_desc %slm : memref<8192xi8, 3> -> !xegpu.mem_desc<64x64xf16>`

    The memref is contiguous and has as many bytes as the matrix.
    """

    name = "xegpu.create_mem_desc"
    source = operand_def(MemRefType)
    mem_desc = result_def(MemDescType)

    traits = traits_def(Pure())

    def __init__(self, source: SSAValue | Operation, result_type: MemDescType):
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        with about(source=self.source):
            source, desc = self.source.type, self.mem_desc.type
            assert isa(source, MemRefType)
            if memory_space_number(source.memory_space) != MemorySpace.SLM.number:
                raise VerifyException(f"expected a memref in shared local memory (memory space 3), got {source}")
            if source.has_static_shape():
                have = source.element_count() * element_bits(source.element_type)
                if have != (want := desc.element_count() * element_bits(desc.element_type)):
                    raise VerifyException(
                        "failed to verify that all of {source, mem_desc} have same size in bits: "
                        f"source has {have}, mem_desc {want}"
                    )


class _MatrixAccessOp(IRDLOperation):
    """An access of the part of a matrix that begins at `offsets`.

    Subclasses declare the operands.
    """

    mem_desc = operand_def(MemDescType)
    offsets = var_operand_def(IndexType)
    const_offsets = prop_def(DenseArrayBase.constr(i64))
    subgroup_block_io = opt_prop_def(UnitAttr)
    layout = opt_prop_def(DISTRIBUTION)

    @property
    def desc(self) -> MemDescType:
        """The type of the matrix."""
        assert isinstance(self.mem_desc.type, MemDescType)
        return self.mem_desc.type

    @property
    def mixed_offsets(self) -> list[SSAValue | int]:
        """The row, column, ... of the first element."""
        return mixed(self.const_offsets, self.offsets)

    @property
    def is_of_lane(self) -> bool:
        """Returns whether the value is that of a lane: a scalar, or a vector with less dimensions than the matrix.

        One element is that of a lane, too: if it and its place are those of the subgroup, they are those of each lane.
        """
        value = (*self.results, *self.operands)[0].type
        if not isa(value, VectorType) or value.get_num_dims() < self.desc.get_num_dims():
            return True
        return value.element_count() == 1 and self.subgroup_block_io is None

    def _verify_access(self, what: str, value: Attribute) -> None:
        with about(mem_desc=self.mem_desc):
            desc = self.desc
            check_mixed("offset", self.const_offsets, self.offsets)
            if len(self.const_offsets) != desc.get_num_dims():
                raise VerifyException(
                    f"Mismatched ranks between offsets and mem_desc: {len(self.const_offsets)} offsets, rank "
                    f"{desc.get_num_dims()}"
                )
            shape = rules.value_shape(value, f"Expecting a scalar or vector {what.lower()},")
            rules.same_element_type(**{what.lower(): value, "mem_desc": desc})
            if isa(value, VectorType) and len(shape) == desc.get_num_dims():
                for size, limit in zip(shape, desc.get_shape(), strict=True):
                    if size > limit:
                        raise VerifyException(
                            f"{what} shape must not exceed mem_desc shape: {list(shape)} in {list(desc.get_shape())}"
                        )
            elif len(shape) > 1:
                raise VerifyException(f"{what} must have rank 1 or that of mem_desc {desc}, got {value}")
            if self.subgroup_block_io is not None and not isa(value, VectorType):
                raise VerifyException(f"subgroup_block_io are only allowed when {what.lower()} is a VectorType.")
            self._verify_block_io(shape)

    def _verify_block_io(self, shape: tuple[int, ...]) -> None:
        """Checks the promises of `subgroup_block_io` where a layout determines the lanes."""
        if self.subgroup_block_io is None or self.layout is None or self.layout.rank != len(shape):
            return
        grid, desc = lane_grid(self.layout, shape), self.desc
        if grid is None or len(shape) != desc.get_num_dims():
            return
        if any(data != 1 for data in grid.block[:-1]):
            raise VerifyException("With subgroup_block_io, accessed data must be contiguous and coalesced.")
        lanes = tuple(grid.counts[dim] for dim in grid.dims)
        if desc.block != lanes:
            raise VerifyException(
                "With subgroup_block_io, the block shape must match the lane layout. "
                f"Blocks are {list(desc.block)}, lanes {list(lanes)}"
            )
        inner = desc.block_strides()[1]
        if any(count > 1 and stride != 1 for count, stride in zip(lanes, inner, strict=True)):
            raise VerifyException("With subgroup_block_io, the distributed dimensions must be contiguous.")


def _properties(
    offsets: MixedList, subgroup_block_io: bool, layout: DistributionAttr | None
) -> tuple[list[SSAValue], dict[str, Attribute]]:
    static, dynamic = split_dynamic_index_list(offsets, DYNAMIC_INDEX)
    properties: dict[str, Attribute] = {"const_offsets": DenseArrayBase.from_list(i64, static)}
    if subgroup_block_io:
        properties["subgroup_block_io"] = UnitAttr()
    if layout is not None:
        properties["layout"] = layout
    return dynamic, properties


@irdl_op_definition
class LoadMatrixOp(_MatrixAccessOp):
    """Loads a part of a matrix in shared local memory; bounds are not checked.

    `%v = xegpu.load_matrix %md[%i, 16] : !xegpu.mem_desc<64x64xf16>, index -> vector<8x16xf16>`

    Element `[r, c]` of a value of the subgroup or work-group is element `[i + r, 16 + c]` of the matrix. The value of a
    lane, a scalar, one element or a vector of rank 1, comes from consecutive addresses, which with `subgroup_block_io`
    are those of all lanes in turn. Nothing is ordered with respect to stores of other threads.
    """

    name = "xegpu.load_matrix"
    mem_desc = operand_def(MemDescType)
    offsets = var_operand_def(IndexType)
    value = result_def()

    traits = traits_def(MemoryReadEffect())

    def __init__(
        self,
        mem_desc: SSAValue | Operation,
        offsets: MixedList,
        result_type: Attribute,
        *,
        subgroup_block_io: bool = False,
        layout: DistributionAttr | None = None,
    ):
        dynamic, properties = _properties(offsets, subgroup_block_io, layout)
        super().__init__(operands=[mem_desc, dynamic], result_types=[result_type], properties=properties)

    @classmethod
    def parse(cls, parser: Parser) -> LoadMatrixOp:
        mem_desc = parser.parse_unresolved_operand()
        offsets = parse_index_list(parser)
        dictionaries = parse_dictionaries(parser, cls)
        parser.parse_punctuation(":")
        desc_type = _parse_desc_and_index_types(parser, len(offsets.dynamic))
        parser.parse_punctuation("->")
        return cls.create(
            operands=[parser.resolve_operand(mem_desc, desc_type), *offsets.dynamic],
            result_types=[parser.parse_type()],
            properties={**dictionaries.properties, "const_offsets": offsets.static},
            attributes=dictionaries.attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        _print_access(printer, self)
        printer.print_string(" -> ")
        printer.print_attribute(self.value.type)

    def verify_(self) -> None:
        self._verify_access("Result", self.value.type)


@irdl_op_definition
class StoreMatrixOp(_MatrixAccessOp):
    """Stores a part of a matrix in shared local memory; bounds are not checked.

    `xegpu.store_matrix %v, %md[%i, 0] : vector<8x16xf16>, !xegpu.mem_desc<64x64xf16>, index`

    The elements are placed as `xegpu.load_matrix` finds them.
    """

    name = "xegpu.store_matrix"
    value = operand_def()
    mem_desc = operand_def(MemDescType)
    offsets = var_operand_def(IndexType)

    traits = traits_def(MemoryWriteEffect())

    def __init__(
        self,
        value: SSAValue | Operation,
        mem_desc: SSAValue | Operation,
        offsets: MixedList,
        *,
        subgroup_block_io: bool = False,
        layout: DistributionAttr | None = None,
    ):
        dynamic, properties = _properties(offsets, subgroup_block_io, layout)
        super().__init__(operands=[value, mem_desc, dynamic], properties=properties)

    @classmethod
    def parse(cls, parser: Parser) -> StoreMatrixOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        mem_desc = parser.parse_unresolved_operand()
        offsets = parse_index_list(parser)
        dictionaries = parse_dictionaries(parser, cls)
        parser.parse_punctuation(":")
        value_type = parser.parse_type()
        parser.parse_punctuation(",")
        desc_type = _parse_desc_and_index_types(parser, len(offsets.dynamic))
        return cls.create(
            operands=[
                parser.resolve_operand(value, value_type),
                parser.resolve_operand(mem_desc, desc_type),
                *offsets.dynamic,
            ],
            properties={**dictionaries.properties, "const_offsets": offsets.static},
            attributes=dictionaries.attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        _print_access(printer, self, self.value.type)

    def verify_(self) -> None:
        self._verify_access("Value", self.value.type)


def _parse_desc_and_index_types(parser: Parser, count: int) -> Attribute:
    """Parses the type of the matrix and those of the `count` dynamic offsets."""
    desc_type = parser.parse_type()
    for _ in range(count):
        parser.parse_punctuation(",")
        position = parser.pos
        if not isinstance(index := parser.parse_type(), IndexType):
            parser.raise_error(f"expected type index of an offset, got {index}", position, parser.pos)
    return desc_type


def _print_access(printer: Printer, op: LoadMatrixOp | StoreMatrixOp, *types: Attribute) -> None:
    """Prints `%md[...] <{...}> {...} : types, matrix, index, ...`."""
    printer.print_ssa_value(op.mem_desc)
    print_index_list(printer, op.const_offsets, op.offsets)
    print_dictionaries(printer, without_offsets(op.properties), op.attributes)
    printer.print_string(" : ")
    printer.print_list([*types, op.mem_desc.type, *(offset.type for offset in op.offsets)], printer.print_attribute)
