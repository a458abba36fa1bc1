"""Ops that combine elements of one vector.

xDSL's `reduction` states no effects, so that it is never removed; the others are missing.

https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import (
    I64,
    AnyFloat,
    BoolAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    i64,
)
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.traits import ReductionInterface
from xegpu.dialects.upstream.vector.types import vector_type, with_dims

_BOTH = frozenset({CombiningKindFlag.ADD, CombiningKindFlag.MUL})
_FLOAT = frozenset(
    {
        CombiningKindFlag.MINNUMF,
        CombiningKindFlag.MAXNUMF,
        CombiningKindFlag.MINIMUMF,
        CombiningKindFlag.MAXIMUMF,
    }
)
NO_FASTMATH = FastMathFlagsAttr("none")


def verify_kind(kind: CombiningKindAttr, element: Attribute) -> None:
    """Raises VerifyException unless elements of that type can be combined so."""
    if isinstance(element, IntegerType | IndexType):
        fits = kind.data not in _FLOAT
    else:
        fits = isa(element, AnyFloat) and kind.data in _BOTH | _FLOAT
    if not fits:
        raise VerifyException(f"unsupported reduction type '{element}' for kind '{kind.data}'")


@irdl_op_definition
class ReductionOp(IRDLOperation):
    """Combines the elements of a vector, and an accumulator where there is one.

    `%r = vector.reduction <add>, %v, %acc fastmath<reassoc> : vector<16xf32> into f32`
    """

    name = "vector.reduction"
    T: ClassVar = VarConstraint("T", AnyAttr())

    kind = prop_def(CombiningKindAttr)
    vector = operand_def(VectorType.constr(T))
    acc = opt_operand_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=NO_FASTMATH)
    dest = result_def(T)

    traits = traits_def(Pure())
    assembly_format = (
        "$kind `,` $vector (`,` $acc^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($vector) `into` type($dest)"
    )

    def __init__(
        self,
        kind: CombiningKindAttr,
        vector: SSAValue | Operation,
        acc: SSAValue | Operation | None = None,
        fastmath: FastMathFlagsAttr = NO_FASTMATH,
    ):
        super().__init__(
            operands=[vector, acc],
            result_types=[vector_type(SSAValue.get(vector)).element_type],
            properties={"kind": kind, "fastmath": fastmath},
        )

    def verify_(self) -> None:
        vector = vector_type(self.vector)
        if vector.get_num_dims() > 1:
            raise VerifyException(f"unsupported reduction rank: {vector.get_num_dims()}")
        verify_kind(self.kind, vector.element_type)


@irdl_op_definition
class MultiDimReductionOp(IRDLOperation, ReductionInterface):
    """Combines the elements of a vector along dimensions, with an accumulator.

    `%r = vector.multi_reduction <add>, %v, %acc [0] : vector<8x16xf32> to vector<16xf32>`
    """

    name = "vector.multi_reduction"
    T: ClassVar = VarConstraint("T", AnyAttr())

    KEEPS_DIMS: ClassVar = False

    kind = prop_def(CombiningKindAttr)
    source = operand_def(VectorType)
    acc = operand_def(T)
    reduction_dims = prop_def(DenseArrayBase.constr(i64))
    dest = result_def(T)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest)"

    def __init__(
        self,
        kind: CombiningKindAttr,
        source: SSAValue | Operation,
        acc: SSAValue | Operation,
        reduction_dims: Sequence[int],
    ):
        super().__init__(
            operands=[source, acc],
            result_types=[SSAValue.get(acc).type],
            properties={"kind": kind, "reduction_dims": DenseArrayBase.from_list(i64, reduction_dims)},
        )

    def verify_(self) -> None:
        source, dims = vector_type(self.source), self.reduction_dims.get_values()
        if len(set(dims)) != len(dims) or any(not 0 <= dim < source.get_num_dims() for dim in dims):
            raise VerifyException(f"expected different dimensions of {source} to reduce, got {list(dims)}")
        verify_kind(self.kind, source.element_type)
        left = [dim for dim in range(source.get_num_dims()) if dim not in dims]
        expected = with_dims(source, left) if left else source.element_type
        if self.dest.type != expected:
            raise VerifyException(
                f"destination type {self.dest.type} is incompatible with source type, expected {expected}"
            )

    @property
    def reduced_dims(self) -> tuple[int, ...]:
        return self.reduction_dims.get_values()


@irdl_op_definition
class ScanOp(IRDLOperation):
    """Partial results along one dimension, and the last of them; exclusive ones start with the initial value.

    `%r, %last = vector.scan <add>, %v, %init {inclusive = true, reduction_dim = 0 : i64}
    : vector<8x16xf32>, vector<16xf32>`
    """

    name = "vector.scan"
    T: ClassVar = VarConstraint("T", base(VectorType))
    INIT: ClassVar = VarConstraint("INIT", base(VectorType))

    kind = prop_def(CombiningKindAttr)
    source = operand_def(T)
    initial_value = operand_def(INIT)
    reduction_dim = prop_def(IntegerAttr[I64])
    inclusive = prop_def(BoolAttr)
    dest = result_def(T)
    accumulated_value = result_def(INIT)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind `,` $source `,` $initial_value attr-dict `:` type($source) `,` type($initial_value)"

    def verify_(self) -> None:
        source, dim = vector_type(self.source), self.reduction_dim.value.data
        if not 0 <= dim < source.get_num_dims():
            raise VerifyException(f"reduction dimension {dim} has to be less than {source.get_num_dims()}")
        expected = with_dims(source, [other for other in range(source.get_num_dims()) if other != dim])
        if self.initial_value.type != expected:
            raise VerifyException(f"expected an initial value of type {expected}, got {self.initial_value.type}")
        verify_kind(self.kind, source.element_type)
