"""Named operations on each element, such as `linalg.div`, that xDSL lacks.

https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Self

from xdsl.builder import Builder
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AffineMapAttr, AnyFloat, ArrayAttr, FloatAttr, ShapedType, StringAttr
from xdsl.dialects.linalg.abstract_ops import ElementwiseOperation
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Attribute, BlockArgument, Operation, ParametrizedAttribute, Region, SSAValue
from xdsl.irdl import irdl_attr_definition, irdl_op_definition, opt_prop_def, prop_def
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.arith import DivSIOp, DivUIOp, SelectOp
from xegpu.dialects.upstream.linalg.structured import WrittenBodyOp, element_of, parse_values, results_of

Compute = Callable[..., Operation]
"""Makes the operation that computes an element from elements."""


class PointwiseOp(ElementwiseOperation):
    """An operation on each element, of `ARITY` operands."""

    ARITY: ClassVar[int]
    OF_FLOATS: ClassVar[Compute | None]
    OF_INTEGERS: ClassVar[Compute | None]

    @classmethod
    def get_hidden_region(cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> Region:
        if (len(inputs), len(outputs)) != (cls.ARITY, 1):
            raise VerifyException(f"expected {cls.ARITY} operands and one result, got {len(inputs)} and {len(outputs)}")
        types = cls.body_arg_types((*inputs, *outputs))
        compute = cls.OF_FLOATS if isinstance(types[-1], AnyFloat) else cls.OF_INTEGERS
        if compute is None or len(set(types)) > 1:
            raise VerifyException(f"does not take elements of {', '.join(map(str, types))}")

        @Builder.implicit_region(types)
        def body(args: tuple[BlockArgument, ...]) -> None:
            YieldOp(compute(*args[:-1]))

        return body


def _reciprocal(x: SSAValue) -> Operation:
    assert isinstance(x.type, AnyFloat)
    return arith.DivfOp(arith.ConstantOp(FloatAttr(1.0, x.type)), x)


_OPERATIONS: dict[str, tuple[int, Compute | None, Compute | None]] = {
    "abs": (1, math.AbsFOp, None),
    "ceil": (1, math.CeilOp, None),
    "erf": (1, math.ErfOp, None),
    "floor": (1, math.FloorOp, None),
    "negf": (1, arith.NegfOp, None),
    "reciprocal": (1, _reciprocal, None),
    "round": (1, math.RoundOp, None),
    "rsqrt": (1, math.RsqrtOp, None),
    "square": (1, lambda x: arith.MulfOp(x, x), None),
    "tanh": (1, math.TanhOp, None),
    "div": (2, arith.DivfOp, DivSIOp),
    "div_unsigned": (2, None, DivUIOp),
    "powf": (2, math.PowFOp, None),
}


def _pointwise(name: str, arity: int, of_floats: Compute | None, of_integers: Compute | None) -> type[Operation]:
    type_ = f"memref<?x?x{'i32' if of_floats is None else 'f32'}>"
    inputs = ", ".join(["%a", "%b"][:arity])
    example = f"linalg.{name} ins({inputs} : {', '.join([type_] * arity)}) outs(%c : {type_})"
    members = {
        "__doc__": f"`{example}` computes each element of the result.",
        "name": f"linalg.{name}",
        "__annotations__": dict.fromkeys(("ARITY", "OF_FLOATS", "OF_INTEGERS"), ClassVar),
        "ARITY": arity,
        "OF_FLOATS": staticmethod(of_floats) if of_floats else None,
        "OF_INTEGERS": staticmethod(of_integers) if of_integers else None,
    }
    title = "".join(part.title() for part in name.split("_"))
    return irdl_op_definition(type(f"Linalg{title}Op", (PointwiseOp,), members))


POINTWISE = [_pointwise(name, *parts) for name, parts in _OPERATIONS.items()]


KINDS: dict[str, tuple[int, Compute | None, Compute | None]] = {
    **_OPERATIONS,
    "exp": (1, math.ExpOp, None),
    "log": (1, math.LogOp, None),
    "sqrt": (1, math.SqrtOp, None),
    "add": (2, arith.AddfOp, arith.AddiOp),
    "sub": (2, arith.SubfOp, arith.SubiOp),
    "mul": (2, arith.MulfOp, arith.MuliOp),
    "max_signed": (2, arith.MaximumfOp, arith.MaxSIOp),
    "min_signed": (2, arith.MinimumfOp, arith.MinSIOp),
    "max_unsigned": (2, None, arith.MaxUIOp),
    "min_unsigned": (2, None, arith.MinUIOp),
    "select": (3, SelectOp, SelectOp),
}
"""The functions: number of operands, and the operations that compute them on floats and on integers."""


@irdl_attr_definition
class ElementwiseKindAttr(ParametrizedAttribute):
    """`#linalg.elementwise_kind<add>`: the function that `linalg.elementwise` computes."""

    name = "linalg.elementwise_kind"
    kind: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return [StringAttr(parser.parse_identifier())]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.kind.data}>")

    def verify(self) -> None:
        if self.kind.data not in KINDS:
            raise VerifyException(f"unknown kind '{self.kind.data}', expected one of: {', '.join(KINDS)}")


@irdl_op_definition
class ElementwiseOp(WrittenBodyOp):
    """Computes each element of the result; maps say which elements of the operands belong to it.

    `linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%c :
    memref<4xf32>)`
    """

    name = "linalg.elementwise"
    kind = prop_def(ElementwiseKindAttr)
    indexing_maps = opt_prop_def(ArrayAttr[AffineMapAttr])

    def loops(self) -> tuple[Sequence[int], Sequence[int], int]:
        type_ = self.outputs[0].type
        each = range(type_.get_num_dims() if isinstance(type_, ShapedType) else 0)
        return each, each, len(each)

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        return super().get_indexing_maps() if self.indexing_maps is None else self.indexing_maps

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        parser.parse_keyword("kind")
        parser.parse_punctuation("=")
        position = parser.pos
        properties = {"kind": parser.parse_attribute()}
        kind = properties["kind"]
        if not isinstance(kind, ElementwiseKindAttr):
            parser.raise_error("expected #linalg.elementwise_kind<...>", position, parser.pos)
        if parser.parse_optional_keyword("indexing_maps") is not None:
            parser.parse_punctuation("=")
            properties["indexing_maps"] = parser.parse_attribute()
        inputs, outputs = parse_values(parser, "ins"), parse_values(parser, "outs")
        types = [element_of(value.type) for value in (*inputs, *outputs)]
        arity, of_floats, of_integers = KINDS[kind.kind.data]
        compute = of_floats if types and isinstance(types[-1], AnyFloat) else of_integers
        if len(inputs) != arity or len(outputs) != 1 or compute is None:
            parser.raise_error(
                f"'{kind.kind.data}' does not take {', '.join(map(str, types[:-1]))}", position, parser.pos
            )

        @Builder.implicit_region(types)
        def body(args: tuple[BlockArgument, ...]) -> None:
            YieldOp(compute(*args[:-1]))

        return cls.build(
            operands=[inputs, outputs], result_types=[results_of(outputs)], properties=properties, regions=[body]
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" kind=")
        printer.print_attribute(self.kind)
        if self.indexing_maps is not None:
            printer.print_string(" indexing_maps = ")
            printer.print_attribute(self.indexing_maps)
        self.print_operands(printer)
