"""Poolings: sums, minima and maxima of the windows of an image.

xDSL has one of them, which combines the image with the window's values instead of the result.

https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, ArrayAttr, DenseIntElementsAttr
from xdsl.dialects.linalg.abstract_ops import NamedOperation
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, opt_prop_def
from xdsl.utils.exceptions import VerifyException

Combine = Callable[[SSAValue, SSAValue], Operation]


class PoolingOp(NamedOperation):
    """A pooling. `LAYOUT` names the dimensions of the image, of which `h` and `w` have windows."""

    PRINT_ATTRS_IN_FRONT: ClassVar[bool] = True
    LAYOUT: ClassVar[str]
    OF_FLOATS: ClassVar[Combine | None]
    OF_INTEGERS: ClassVar[Combine]

    strides = opt_prop_def(DenseIntElementsAttr)
    dilations = opt_prop_def(DenseIntElementsAttr)

    @classmethod
    def get_hidden_region(cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> Region:
        if (len(inputs), len(outputs)) != (2, 1):
            raise VerifyException("takes an image, a window and one result")
        types = cls.body_arg_types((*inputs, *outputs))
        combine = cls.OF_FLOATS if isinstance(types[-1], AnyFloat) else cls.OF_INTEGERS
        if combine is None or types[0] != types[-1]:
            raise VerifyException(f"does not take elements of {types[0]} for a result of {types[-1]}")

        @Builder.implicit_region(types)
        def body(args: tuple[BlockArgument, ...]) -> None:
            YieldOp(combine(args[2], args[0]))

        return body

    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        loops = [AffineDimExpr(number) for number in range(6)]
        windows = iter(loops[4:])
        factors = [
            (1, 1) if steps is None else tuple(map(int, steps.get_values())) for steps in (self.strides, self.dilations)
        ]
        steps = iter(zip(*factors, strict=True))
        image: list[AffineExpr] = []
        for dimension, letter in enumerate(self.LAYOUT):
            if letter in "hw":
                stride, dilation = next(steps)
                image.append(loops[dimension] * stride + next(windows) * dilation)
            else:
                image.append(loops[dimension])
        return AffineMap(6, 0, tuple(image)), AffineMap(6, 0, tuple(loops[4:])), AffineMap(6, 0, tuple(loops[:4]))

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return ArrayAttr([IteratorTypeAttr.parallel()] * 4 + [IteratorTypeAttr.reduction()] * 2)


_KINDS: dict[str, tuple[Combine | None, Combine]] = {
    "sum": (arith.AddfOp, arith.AddiOp),
    "max": (arith.MaximumfOp, arith.MaxSIOp),
    "min": (arith.MinimumfOp, arith.MinSIOp),
    "max_unsigned": (None, arith.MaxUIOp),
    "min_unsigned": (None, arith.MinUIOp),
}
_NAMES = [*(("nhwc", kind) for kind in _KINDS), ("nchw", "sum"), ("nchw", "max")]


def _pooling(layout: str, kind: str) -> type[Operation]:
    of_floats, of_integers = _KINDS[kind]
    element = "i32" if of_floats is None else "f32"
    image, window = f"memref<?x?x?x?x{element}>", f"memref<?x?x{element}>"
    steps = "{dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}"
    example = f"linalg.pooling_{layout}_{kind} {steps} ins(%x, %w : {image}, {window}) outs(%y : {image})"
    members = {
        "__doc__": f"`{example}`: the shape of the second operand is that of the windows.",
        "name": f"linalg.pooling_{layout}_{kind}",
        "__annotations__": dict.fromkeys(("LAYOUT", "OF_FLOATS", "OF_INTEGERS"), ClassVar),
        "LAYOUT": layout,
        "OF_FLOATS": staticmethod(of_floats) if of_floats else None,
        "OF_INTEGERS": staticmethod(of_integers),
    }
    title = "".join(part.title() for part in f"{layout}_{kind}".split("_"))
    return irdl_op_definition(type(f"Pooling{title}Op", (PoolingOp,), members))


POOLINGS = [_pooling(*name) for name in _NAMES]
