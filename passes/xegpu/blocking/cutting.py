"""Replaces values by their blocks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from passes.support.control_flow import CARRIERS
from passes.support.op_builder import Index, OpBuilder
from passes.support.value_expansion import ValueExpansion
from passes.support.value_layouts.dropping import drop_level, without_level
from passes.support.value_layouts.inference import ValueLayouts
from passes.support.value_layouts.wants import given_layout
from passes.support.vectors.constants import splat_constant
from passes.support.vectors.elementwise import has_one_shape, is_elementwise
from xegpu.diagnostics import CompileError, inherit_location
from xegpu.dialects.upstream.vector import ExtractStridedSliceOp, InsertStridedSliceOp, vector_type
from xegpu.dialects.xegpu import (
    BlockTensorDescAttr,
    ConvertLayoutOp,
    CreateNdDescOp,
    DpasOp,
    LayoutAttr,
    LoadMatrixOp,
    LoadNdOp,
    LoadOp,
    PrefetchNdOp,
    StoreMatrixOp,
    StoreNdOp,
    StoreOp,
    TensorDescType,
    UpdateNdOffsetOp,
    instruction_shape,
)

Shape = tuple[int, ...]
_LEVEL = "inst_data"


def _starts(shape: Shape, block: Shape) -> list[Shape]:
    """Returns the first elements of the blocks of a shape, row-major."""
    return list(product(*(range(0, size, step) for size, step in zip(shape, block, strict=True))))


class Cutting(ValueExpansion):
    """Replaces vectors by their blocks, in row-major order, and descriptors by those of one block."""

    def __init__(self, layouts: ValueLayouts):
        super().__init__()
        self._layouts = layouts

    # Blocks ----------------------------------------------------------------------------------------------------------

    def block(self, value: SSAValue) -> Shape | None:
        """Returns the shape of the blocks of a value; None for one that stays whole."""
        type_, layout = value.type, self._layouts.of(value)
        shape = None if layout is None else instruction_shape(layout)
        if shape is None or not isinstance(type_, VectorType | TensorDescType):
            return None
        if isinstance(type_, TensorDescType) and (type_.is_scattered or type_.array_length > 1):
            return None
        whole = tuple(type_.get_shape())
        # Dimensions of one element, which broadcasts stretch, are in no need of a block.
        shape = tuple(min(n, b) for n, b in zip(whole, shape, strict=False))
        if len(shape) != len(whole) or any(n % b for n, b in zip(whole, shape, strict=True)):
            place = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
            assert place is not None
            raise CompileError(place, f"cannot cut {list(whole)} into blocks of {list(shape)}")
        return shape if shape != whole else None

    def types(self, value: SSAValue) -> Sequence[Attribute] | None:
        block, type_ = self.block(value), value.type
        if isinstance(type_, TensorDescType):
            changed = without_level(type_, _LEVEL)
            assert isinstance(changed, TensorDescType)
            if block is not None:
                encoding = type_.encoding if isinstance(type_.encoding, BlockTensorDescAttr) else None
                layout = changed.map if isinstance(changed.map, LayoutAttr) else None
                changed = TensorDescType(block, type_.element_type, encoding, layout)
            return None if changed == type_ else [changed]
        if block is None or not isa(type_, VectorType):
            return None
        return [VectorType(type_.element_type, block)] * (type_.element_count() // prod(block))

    # Joining and cutting ---------------------------------------------------------------------------------------------

    def whole(self, builder: OpBuilder, value: SSAValue) -> SSAValue:
        """Returns a value in one piece."""
        parts, block = self.parts(value), self.block(value)
        if block is None or not isa(type_ := value.type, VectorType):
            return parts[0]
        return self._join(builder, type_, block, parts)

    def _join(self, builder: OpBuilder, type_: VectorType, block: Shape, parts: Sequence[SSAValue]) -> SSAValue:
        result = builder.add(splat_constant(type_, 0))
        for start, part in zip(_starts(type_.get_shape(), block), parts, strict=True):
            result = builder.add(InsertStridedSliceOp(part, result, start))
        return result

    def _cut(self, builder: OpBuilder, value: SSAValue, block: Shape) -> list[SSAValue]:
        """Returns the blocks of a value that is in one piece."""
        shape = vector_type(value).get_shape()
        if shape == block:
            return [value]
        return [builder.add(ExtractStridedSliceOp(value, start, block)) for start in _starts(shape, block)]

    def blocks(self, builder: OpBuilder, value: SSAValue, block: Shape) -> Sequence[SSAValue]:
        """Returns a value in blocks of a shape, whatever its own are."""
        own = self.block(value) or vector_type(value).get_shape()
        return self.parts(value) if own == block else self._cut(builder, self.whole(builder, value), block)

    def _give(self, builder: OpBuilder, value: SSAValue, block: Shape, parts: Sequence[SSAValue]) -> None:
        """Makes blocks of a shape, which may not be its own, those of a value."""
        type_ = vector_type(value)
        own = self.block(value) or type_.get_shape()
        if own != block:
            whole = parts[0] if block == type_.get_shape() else self._join(builder, type_, block, parts)
            parts = self._cut(builder, whole, own)
        if self.types(value) is None:
            value.replace_all_uses_with(parts[0])
        else:
            self.bind(value, parts)

    # Operations ------------------------------------------------------------------------------------------------------

    def rewrite(self, op: Operation) -> bool:
        if type(op) in CARRIERS:
            op.attributes = drop_level(op.attributes, _LEVEL)
            return False
        builder = OpBuilder(op)
        match op:
            case CreateNdDescOp() | UpdateNdOffsetOp() if self.types(op.results[0]) is not None:
                (type_,) = self.types(op.results[0]) or ()
                operands = [self.parts(operand)[0] for operand in op.operands]
                self.bind(op.results[0], [builder.add(self._clone(op, operands, [type_]))])
            case LoadNdOp() | StoreNdOp() | PrefetchNdOp() if op.tensor_desc.type != self.parts(op.tensor_desc)[0].type:
                self._access(builder, op)
            case DpasOp() if vector_type(op.rhs).get_num_dims() == vector_type(op.result).get_num_dims() == 2:
                self._multiply(builder, op)
            case ConvertLayoutOp():
                layout = given_layout(op, "target_layout", self._layouts.kind)
                target = None if layout is None else instruction_shape(layout)
                if target is None:
                    return self._execute(builder, op)
                self._give(builder, op.result, target, self.blocks(builder, op.source, target))
            case LoadOp() | StoreOp() if not op.has_descriptor:
                return self._gather(builder, op)
            case LoadMatrixOp() | StoreMatrixOp():
                return self._access_matrix(builder, op)
            case ConstantOp() if self.block(op.result) is not None:
                self._constant(builder, op)
            case _ if is_elementwise(op) and has_one_shape(op) and self.block(op.results[0]) is not None:
                self._compute(builder, op)
            case _:
                return self._execute(builder, op)
        return True

    def _clone(self, op: Operation, operands: Sequence[SSAValue], result_types: Sequence[Attribute]) -> Operation:
        """Returns the operation for other operands and results, without the level of layouts."""
        return type(op).create(
            operands=operands,
            result_types=result_types,
            properties=drop_level(op.properties, _LEVEL),
            attributes=drop_level(op.attributes, _LEVEL),
        )

    def _execute(self, builder: OpBuilder, op: Operation) -> bool:
        """Executes an operation on whole values."""
        cut = [result for result in op.results if self.types(result) is not None]
        if not cut and all(self.parts(operand) == (operand,) for operand in op.operands):
            op.properties = drop_level(op.properties, _LEVEL)
            op.attributes = drop_level(op.attributes, _LEVEL)
            return False
        if op.regions:
            raise CompileError(op, "cannot be executed on blocks: it has regions")
        new = self._clone(op, [self.whole(builder, operand) for operand in op.operands], op.result_types)
        builder.insert(new)
        for old, result in zip(op.results, new.results, strict=True):
            if isinstance(old.type, VectorType):
                self._give(builder, old, vector_type(old).get_shape(), [result])
            else:
                old.replace_all_uses_with(result)
        return True

    def _access(self, builder: OpBuilder, op: LoadNdOp | StoreNdOp | PrefetchNdOp) -> None:
        (desc,) = self.parts(op.tensor_desc)
        assert isinstance(desc.type, TensorDescType)
        shape, block = op.desc.get_shape(), desc.type.get_shape()
        if isinstance(op, LoadNdOp) and shape != block and (op.is_packed or op.is_transposed):
            raise CompileError(op, "cannot be cut into blocks: it moves elements on their way")
        layout = drop_level(op.properties, _LEVEL).get("layout")
        own = layout if isinstance(layout, LayoutAttr) else None
        stored = self.blocks(builder, op.value, block) if isinstance(op, StoreNdOp) else ()
        parts: list[SSAValue] = []
        for number, start in enumerate(_starts(shape, block)):
            offsets: list[Index] | None = None
            if op.mixed_offsets is not None or shape != block:
                base = op.mixed_offsets or [0] * len(shape)
                offsets = [builder.plus(a, b) for a, b in zip(base, start, strict=True)]
            match op:
                case PrefetchNdOp():
                    builder.insert(PrefetchNdOp(desc, op.hints, offsets, own))
                case StoreNdOp():
                    builder.insert(StoreNdOp(stored[number], desc, op.hints, offsets, own))
                case LoadNdOp() if shape == block:
                    parts.append(builder.add(self._clone(op, [desc, *op.offsets], op.result_types)))
                case LoadNdOp():
                    type_ = VectorType(op.desc.element_type, block)
                    parts.append(builder.add(LoadNdOp(desc, type_, hints=op.hints, offsets=offsets, layout=own)))
        if isinstance(op, LoadNdOp):
            whole = vector_type(op.value).get_shape()
            self._give(builder, op.value, block if shape != block else whole, parts)

    def _multiply(self, builder: OpBuilder, op: DpasOp) -> None:
        (m, depth), n = vector_type(op.lhs).get_shape(), vector_type(op.rhs).get_shape()[1]
        a = self.block(op.lhs) or (m, depth)
        b = self.block(op.rhs) or (depth, n)
        rows, step, columns = a[0], a[1], b[1]
        if b[0] != step:
            raise CompileError(op, f"has blocks of A with {step} columns, but blocks of B with {b[0]} rows")
        lhs, rhs = self.blocks(builder, op.lhs, (rows, step)), self.blocks(builder, op.rhs, (step, columns))
        acc = None if op.acc is None else self.blocks(builder, op.acc, (rows, columns))
        type_ = VectorType(vector_type(op.result).element_type, (rows, columns))
        across, along = n // columns, depth // step
        parts: list[SSAValue] = []
        for i, j in product(range(m // rows), range(across)):
            total = None if acc is None else acc[i * across + j]
            for k in range(along):
                operands = [lhs[i * along + k], rhs[k * across + j], *([] if total is None else [total])]
                total = builder.add(self._clone(op, operands, [type_]))
            assert total is not None
            parts.append(total)
        self._give(builder, op.result, (rows, columns), parts)

    def _gather(self, builder: OpBuilder, op: LoadOp | StoreOp) -> bool:
        """Cuts an access with one address for each element, or each chunk; returns False for one that stays."""
        block = self.block(op.value)
        if block is None or op.offsets is None:
            return self._execute(builder, op)
        lanes = len(vector_type(op.mask).get_shape())
        if block[lanes:] != vector_type(op.value).get_shape()[lanes:]:
            raise CompileError(op, f"cannot cut chunks into blocks of {list(block)}")
        offsets, mask = (self.blocks(builder, value, block[:lanes]) for value in (op.offsets, op.mask))
        if isinstance(op, StoreOp):
            values = self.blocks(builder, op.value, block)
            for operands in zip(values, offsets, mask, strict=True):
                builder.insert(self._clone(op, [operands[0], op.source, *operands[1:]], []))
        else:
            type_ = VectorType(vector_type(op.value).element_type, block)
            pairs = zip(offsets, mask, strict=True)
            parts = [builder.add(self._clone(op, [op.source, *pair], [type_])) for pair in pairs]
            self._give(builder, op.value, block, parts)
        return True

    def _access_matrix(self, builder: OpBuilder, op: LoadMatrixOp | StoreMatrixOp) -> bool:
        block = self.block(op.value)
        if block is None or not isa(op.value.type, VectorType) or len(block) != len(op.mixed_offsets):
            return self._execute(builder, op)
        layout = drop_level(op.properties, _LEVEL).get("layout")
        own = layout if isinstance(layout, LayoutAttr) else None
        parts: list[SSAValue] = []
        stored = self.blocks(builder, op.value, block) if isinstance(op, StoreMatrixOp) else ()
        for number, start in enumerate(_starts(op.value.type.get_shape(), block)):
            offsets = [builder.plus(a, b) for a, b in zip(op.mixed_offsets, start, strict=True)]
            if isinstance(op, StoreMatrixOp):
                builder.insert(StoreMatrixOp(stored[number], op.mem_desc, offsets, layout=own))
            else:
                type_ = VectorType(op.value.type.element_type, block)
                parts.append(builder.add(LoadMatrixOp(op.mem_desc, offsets, type_, layout=own)))
        if isinstance(op, LoadMatrixOp):
            self._give(builder, op.value, block, parts)
        return True

    def _constant(self, builder: OpBuilder, op: ConstantOp) -> None:
        block, type_ = self.block(op.result), vector_type(op.result)
        assert block is not None and isinstance(op.value, DenseIntOrFPElementsAttr)
        if op.value.is_splat():
            number = next(iter(op.value.get_values()))
            constant = builder.add(splat_constant(VectorType(type_.element_type, block), number))
            self.bind(op.result, [constant] * (type_.element_count() // prod(block)))
            return
        whole = builder.add(ConstantOp(op.value))
        self.bind(op.result, self._cut(builder, whole, block))

    def _compute(self, builder: OpBuilder, op: Operation) -> None:
        block = self.block(op.results[0])
        assert block is not None
        operands = [
            self.blocks(builder, operand, block) if isinstance(operand.type, VectorType) else None
            for operand in op.operands
        ]
        made: list[list[SSAValue]] = [[] for _ in op.results]
        for number in range(vector_type(op.results[0]).element_count() // prod(block)):
            values = [
                operand if parts is None else parts[number]
                for operand, parts in zip(op.operands, operands, strict=True)
            ]
            types = [VectorType(vector_type(result).element_type, block) for result in op.results]
            new = self._clone(op, values, types)
            inherit_location(op, new)
            builder.insert(new)
            for parts, result in zip(made, new.results, strict=True):
                parts.append(result)
        for result, own in zip(op.results, made, strict=True):
            self._give(builder, result, block, own)
