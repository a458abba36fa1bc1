"""`xegpu-vector-linearize`: gives vectors of several dimensions one dimension."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, VectorType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from passes.support.control_flow import CARRIERS
from passes.support.op_builder import OpBuilder
from passes.support.value_expansion import ValueExpansion
from passes.support.vectors.constants import vector_constant
from passes.support.vectors.elementwise import has_one_shape, is_elementwise
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.vector import ShapeCastOp, vector_type


@dataclass(frozen=True)
class XegpuVectorLinearizePass(ModulePass):
    """Replaces vectors of several dimensions by vectors of one, with the elements in row-major order.

    Constants, elementwise operations, loops and branches compute on vectors of one dimension. Operations that depend on
    the shape get it back by `vector.shape_cast`, which moves no data.
    """

    name = "xegpu-vector-linearize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [o for o in op.walk() if isinstance(o, FuncOp)]:
            for argument in function.body.blocks[0].args if function.body.blocks else ():
                _cast(argument)
            _Linearization().run(function.body)


def _cast(argument: BlockArgument) -> None:
    """Gives the users of an argument of a kernel, whose type stays, a value in its place."""
    block = argument.block
    if isa(type_ := argument.type, VectorType) and type_.get_num_dims() > 1 and block.first_op is not None:
        flat = ShapeCastOp(argument, VectorType(type_.element_type, [type_.element_count()]))
        back = ShapeCastOp(flat, type_)
        argument.replace_uses_with_if(back.result, lambda use: use.operation is not flat)
        block.insert_ops_before([flat, back], block.first_op)


class _Linearization(ValueExpansion):
    """Replaces each vector of several dimensions that an operation, a loop or a branch makes."""

    def types(self, value: SSAValue) -> Sequence[Attribute] | None:
        type_ = value.type
        if isinstance(value, BlockArgument) and _is_of_kernel(value):
            return None
        if not isa(type_, VectorType) or type_.get_num_scalable_dims():
            return None
        return [VectorType(type_.element_type, [type_.element_count()])] if type_.get_num_dims() > 1 else None

    def rewrite(self, op: Operation) -> bool:
        if type(op) in CARRIERS:
            return False
        is_flat = all(self.types(result) is None for result in op.results)
        if is_flat and all(self.parts(operand) == (operand,) for operand in op.operands):
            return False
        builder = OpBuilder(op)
        match op:
            case ShapeCastOp():
                self._give(builder, op.result, self.parts(op.source)[0])
            case ConstantOp() if isinstance(op.value, DenseIntOrFPElementsAttr):
                flat = VectorType(vector_type(op.result).element_type, [vector_type(op.result).element_count()])
                self.bind(op.result, [builder.add(vector_constant(flat, list(op.value.get_values())))])
            case _ if is_elementwise(op) and has_one_shape(op):
                operands = [self._flat(builder, operand) for operand in op.operands]
                self._replace(builder, op, operands, [self._type(result) for result in op.results])
            case _ if op.regions:
                raise CompileError(op, "cannot be linearized: it has regions")
            case _:
                self._replace(builder, op, [self._shaped(builder, operand) for operand in op.operands], op.result_types)
        return True

    def _type(self, value: SSAValue) -> Attribute:
        (type_,) = self.types(value) or (value.type,)
        return type_

    def _flat(self, builder: OpBuilder, value: SSAValue) -> SSAValue:
        """Returns a value with its elements in one dimension."""
        (part,) = self.parts(value)
        if not isa(part.type, VectorType) or part.type.get_num_dims() == 1:
            return part
        return builder.add(ShapeCastOp(part, VectorType(part.type.element_type, [part.type.element_count()])))

    def _shaped(self, builder: OpBuilder, value: SSAValue) -> SSAValue:
        """Returns a value in its own shape."""
        (part,) = self.parts(value)
        return part if part.type == value.type else builder.add(ShapeCastOp(part, vector_type(value)))

    def _replace(
        self, builder: OpBuilder, op: Operation, operands: Sequence[SSAValue], result_types: Sequence[Attribute]
    ) -> None:
        new = type(op).create(
            operands=operands, result_types=result_types, properties=op.properties, attributes=op.attributes
        )
        builder.insert(new)
        for old, result in zip(op.results, new.results, strict=True):
            self._give(builder, old, result)

    def _give(self, builder: OpBuilder, value: SSAValue, made: SSAValue) -> None:
        """Replaces a value by another one with the same elements."""
        if self.types(value) is not None:
            self.bind(value, [self._flat(builder, made)])
        elif made.type == value.type:
            value.replace_all_uses_with(made)
        else:
            value.replace_all_uses_with(builder.add(ShapeCastOp(made, vector_type(value))))


def _is_of_kernel(argument: BlockArgument) -> bool:
    function = argument.block.parent_op()
    return isinstance(function, FuncOp) and function.body.blocks[0] is argument.block
