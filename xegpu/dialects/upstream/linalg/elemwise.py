"""`linalg.elemwise_unary` and `elemwise_binary` of LLVM 19 and before; `linalg.elementwise` has taken their place.

https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.builder import Builder
from xdsl.dialects.builtin import AnyFloat, ShapedType
from xdsl.dialects.linalg.abstract_ops import ElementwiseOperation
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import BlockArgument, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import irdl_attr_definition, irdl_op_definition, opt_prop_def
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from xegpu.dialects.upstream.enums import InAngleBrackets
from xegpu.dialects.upstream.linalg.conversion import TypeFunctionAttr, converted, is_unsigned, number_type
from xegpu.dialects.upstream.linalg.pointwise import KINDS


class UnaryFunction(StrEnum):
    """A function of one number."""

    EXP = "exp"
    LOG = "log"
    ABS = "abs"
    CEIL = "ceil"
    FLOOR = "floor"
    NEGF = "negf"
    RECIPROCAL = "reciprocal"
    ROUND = "round"
    SQRT = "sqrt"
    RSQRT = "rsqrt"
    SQUARE = "square"
    TANH = "tanh"
    ERF = "erf"


class BinaryFunction(StrEnum):
    """A function of two numbers."""

    ADD = "add"
    SUB = "sub"
    MUL = "mul"
    DIV = "div"
    DIV_UNSIGNED = "div_unsigned"
    MAX_SIGNED = "max_signed"
    MIN_SIGNED = "min_signed"
    MAX_UNSIGNED = "max_unsigned"
    MIN_UNSIGNED = "min_unsigned"
    POWF = "powf"


@irdl_attr_definition
class UnaryFunctionAttr(InAngleBrackets[UnaryFunction], EnumAttribute[UnaryFunction]):
    """`#linalg.unary_fn<exp>`: the function that `linalg.elemwise_unary` computes."""

    name = "linalg.unary_fn"


@irdl_attr_definition
class BinaryFunctionAttr(InAngleBrackets[BinaryFunction], EnumAttribute[BinaryFunction]):
    """`#linalg.binary_fn<mul>`: the function that `linalg.elemwise_binary` computes."""

    name = "linalg.binary_fn"


class ElemwiseOp(ElementwiseOperation):
    """A function of each element, and of scalars, converted to the type of the result before."""

    PRINT_ATTRS_IN_FRONT: ClassVar[bool] = True
    DEFAULT: ClassVar[str]
    cast = opt_prop_def(TypeFunctionAttr)

    @property
    def function(self) -> str:
        """The name of the function."""
        attribute = self.properties.get("fun")
        return attribute.data.value if isinstance(attribute, UnaryFunctionAttr | BinaryFunctionAttr) else self.DEFAULT

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parses the operation; its attributes, which come first, decide on the body."""
        position = parser.pos
        op: Self = super().parse(parser)
        try:
            body = _body(op.function, op.operands, unsigned=is_unsigned(op.cast))
        except VerifyException as error:
            parser.raise_error(f"'{cls.name}' op {error}", position)
        operands, results = [*op.operands], [*op.result_types]
        op.drop_all_references()
        return cls.create(
            operands=operands, result_types=results, properties=op.properties, attributes=op.attributes, regions=[body]
        )

    @classmethod
    def get_hidden_region(cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> Region:
        return Region()

    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        result = self.outputs[0].type
        rank = result.get_num_dims() if isinstance(result, ShapedType) else 0
        whole, single = AffineMap.identity(rank), AffineMap(rank, 0, ())
        return [whole if isinstance(value.type, ShapedType) else single for value in self.operands]


def _body(function: str, operands: Sequence[SSAValue], *, unsigned: bool) -> Region:
    types = [number_type(operand) for operand in operands]
    arity, of_floats, of_integers = KINDS[function]
    compute = of_floats if types and isinstance(types[-1], AnyFloat) else of_integers
    if len(types) != arity + 1:
        raise VerifyException(f"expected {arity} operands and one result, got {len(types)} values")
    if compute is None:
        raise VerifyException(f"has no '{function}' of {types[-1]}")

    @Builder.implicit_region(types)
    def body(args: tuple[BlockArgument, ...]) -> None:
        YieldOp(compute(*(converted(value, types[-1], unsigned=unsigned) for value in args[:-1])))

    return body


@irdl_op_definition
class ElemwiseUnaryOp(ElemwiseOp):
    """Computes a function of each element; without `fun` it is `exp`.

    `linalg.elemwise_unary {fun = #linalg.unary_fn<log>} ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)`
    """

    name = "linalg.elemwise_unary"
    DEFAULT: ClassVar = "exp"
    fun = opt_prop_def(UnaryFunctionAttr)


@irdl_op_definition
class ElemwiseBinaryOp(ElemwiseOp):
    """Computes a function of two elements each; without `fun` it is `add`.

    `linalg.elemwise_binary {fun = #linalg.binary_fn<mul>} ins(%a, %x : memref<?xf16>, f32) outs(%b : memref<?xf32>)`
    """

    name = "linalg.elemwise_binary"
    DEFAULT: ClassVar = "add"
    fun = opt_prop_def(BinaryFunctionAttr)
