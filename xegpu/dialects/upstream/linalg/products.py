"""`linalg`: products and convolutions whose result has another type than their operands, and more kinds of products.

As in MLIR, operands are converted to the type of the elements of the result before they are multiplied.

xDSL's ops of these names want operands and results of one type; most kinds of products are missing.

https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, IntegerType
from xdsl.dialects.linalg import Linalg as XdslLinalg
from xdsl.dialects.linalg.abstract_ops import ConvOperation, NamedOperation
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import irdl_op_definition, opt_prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.linalg.conversion import Number, TypeFunctionAttr, converted, is_unsigned, number_type


def multiply_and_add(types: Sequence[Number], *, unsigned: bool = False) -> Region:
    """The body of a product: the third number plus the product of the others, in the type of the third."""
    *_, result = types
    add, multiply = (arith.AddiOp, arith.MuliOp) if isinstance(result, IntegerType) else (arith.AddfOp, arith.MulfOp)

    @Builder.implicit_region(types)
    def body(args: tuple[BlockArgument, ...]) -> None:
        a, b, total = args
        product = multiply(converted(a, result, unsigned=unsigned), converted(b, result, unsigned=unsigned))
        YieldOp(add(total, product))

    return body


class Contraction(NamedOperation):
    """A product that adds to its third operand. `MAPS`, and which of its loops are sums, make a kind of product."""

    PRINT_ATTRS_IN_FRONT: ClassVar[bool] = True
    MAPS: ClassVar[tuple[AffineMap, ...]]
    cast = opt_prop_def(TypeFunctionAttr)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parses the operation; `cast = #linalg.type_fn<cast_unsigned>` makes integers unsigned."""
        op: Self = super().parse(parser)
        if not is_unsigned(op.cast):
            return op
        body = multiply_and_add([number_type(operand) for operand in op.operands], unsigned=True)
        operands, results = [*op.operands], [*op.result_types]
        op.drop_all_references()
        return cls.create(
            operands=operands, result_types=results, properties=op.properties, attributes=op.attributes, regions=[body]
        )

    @classmethod
    def get_hidden_region(cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> Region:
        if (len(inputs), len(outputs)) != (2, 1):
            raise VerifyException("takes two operands and one result")
        return multiply_and_add([number_type(operand) for operand in (*inputs, *outputs)])

    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        return self.MAPS

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """Loops that the result does not follow are sums."""
        maps = self.get_indexing_maps().data
        kept = maps[-1].data.used_dims()
        kinds = (IteratorTypeAttr.parallel, IteratorTypeAttr.reduction)
        return ArrayAttr(kinds[number not in kept]() for number in range(maps[0].data.num_dims))


class MappedContraction(Contraction):
    """A product for which `indexing_maps = [...]` may state maps of its own, for operands that are stored otherwise."""

    indexing_maps = opt_prop_def(ArrayAttr[AffineMapAttr])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        maps = None
        if parser.parse_optional_keyword("indexing_maps"):
            parser.parse_punctuation("=")
            position = parser.pos
            maps = parser.parse_attribute()
            if not (isinstance(maps, ArrayAttr) and all(isinstance(map, AffineMapAttr) for map in maps)):
                parser.raise_error("expected an array of affine maps", position, parser.pos)
        op = super().parse(parser)
        if maps is not None:
            op.properties["indexing_maps"] = maps
        return op

    def print(self, printer: Printer) -> None:
        if self.indexing_maps is not None:
            printer.print_string(" indexing_maps = ")
            printer.print_attribute(self.indexing_maps)
        super().print(printer)

    def verify_(self) -> None:
        if self.indexing_maps is not None and len(self.indexing_maps) != len(self.MAPS):
            raise VerifyException(f"expected {len(self.MAPS)} indexing maps, but got {len(self.indexing_maps)}")
        super().verify_()

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        return super().get_indexing_maps() if self.indexing_maps is None else self.indexing_maps


def _product(
    name: str, loops: str, operands: str, formula: str, base: type[Contraction] = Contraction
) -> type[Operation]:
    """The op `linalg.<name>`. Words of `operands` name the loops that the dimensions of each operand follow."""
    words = operands.split(" ")
    a, b, c = (f"memref<{'?x' * len(word)}{element}>" for word, element in zip(words, _ELEMENTS, strict=True))
    members = {
        "__doc__": f"`linalg.{name} ins(%a, %b : {a}, {b}) outs(%c : {c})`: `{formula}`.",
        "__annotations__": {"MAPS": ClassVar},
        "name": f"linalg.{name}",
        "MAPS": tuple(
            AffineMap(len(loops), 0, tuple(AffineDimExpr(loops.index(letter)) for letter in word)) for word in words
        ),
    }
    title = "".join(part.title() for part in name.split("_"))
    return irdl_op_definition(type(f"{title}Op", (base,), members))


_ELEMENTS = ("f16", "f16", "f32")
"""Elements of the operands of the examples."""

PRODUCTS = (
    _product("matmul", "mnk", "mk kn mn", "C += A x B", MappedContraction),
    _product("matmul_transpose_a", "mnk", "km kn mn", "C += Aᵀ x B"),
    _product("matmul_transpose_b", "mnk", "mk nk mn", "C += A x Bᵀ"),
    _product("batch_matmul", "bmnk", "bmk bkn bmn", "C[i] += A[i] x B[i]", MappedContraction),
    _product("batch_matmul_transpose_a", "bmnk", "bkm bkn bmn", "C[i] += A[i]ᵀ x B[i]"),
    _product("batch_matmul_transpose_b", "bmnk", "bmk bnk bmn", "C[i] += A[i] x B[i]ᵀ"),
    _product("batch_reduce_matmul", "bmnk", "bmk bkn mn", "C += A[i] x B[i]`, summed over `i", MappedContraction),
    _product("matvec", "mk", "mk k m", "y += A x"),
    _product("vecmat", "nk", "k kn n", "y += x A"),
    _product("batch_matvec", "bmk", "bmk bk bm", "y[i] += A[i] x[i]"),
    _product("dot", "k", "k k ", "s += x · y`, where `s` has rank `0"),
)


class MixedConvolution(ConvOperation):
    """A convolution whose result may have another type than image and filter."""

    @classmethod
    def get_hidden_region(cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> Region:
        if (len(inputs), len(outputs)) != (2, 1):
            raise VerifyException("takes an image, a filter and one result")
        return multiply_and_add([number_type(operand) for operand in (*inputs, *outputs)])


def _mixed(convolution: type[ConvOperation]) -> type[Operation]:
    image, filter = (f"memref<{'?x' * len(layout)}f16>" for layout in convolution.name.split("_")[-2:])
    windows = "{dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}"
    example = f"{convolution.name} {windows} ins(%x, %w : {image}, {filter}) outs(%y : {image.replace('f16', 'f32')})"
    members = {
        "__doc__": f"`{example}`: a convolution, added to its result. Letters name dimensions in their order.",
        "name": convolution.name,
        "get_default_indexing_maps": convolution.get_default_indexing_maps,
    }
    return irdl_op_definition(type(convolution.__name__, (MixedConvolution,), members))


CONVOLUTIONS = [_mixed(op) for op in XdslLinalg.operations if issubclass(op, ConvOperation)]
"""The convolutions of xDSL, between any types."""
