"""Ops that the lanes of a subgroup, or the work-items of a work-group, execute together.

xDSL lacks `ballot`, `shuffle`, `rotate` and `subgroup_reduce`, and custom assembly for `all_reduce`.

https://mlir.llvm.org/docs/Dialects/GPU/
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    I32,
    AnyFloat,
    IntegerAttr,
    IntegerType,
    SignlessIntegerConstraint,
    UnitAttr,
    VectorType,
    i1,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsolatedFromAbove, IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.directives import SameType
from xegpu.dialects.upstream.gpu.attributes import Reduction, ReductionAttr, ShuffleModeAttr

_FLOAT_ONLY = frozenset({Reduction.MINNUMF, Reduction.MAXNUMF, Reduction.MINIMUMF, Reduction.MAXIMUMF})
_INTEGER_ONLY = frozenset(
    {Reduction.MINUI, Reduction.MINSI, Reduction.MAXUI, Reduction.MAXSI, Reduction.AND, Reduction.OR, Reduction.XOR}
)


def _verify_kind(kind: ReductionAttr | None, element: Attribute) -> None:
    if kind is None:
        return
    if kind.data in _FLOAT_ONLY and not isinstance(element, AnyFloat):
        raise VerifyException(f"`{kind.data}` reduction operation is not compatible with type {element}")
    if kind.data in _INTEGER_ONLY and not isinstance(element, IntegerType):
        raise VerifyException(f"`{kind.data}` reduction operation is not compatible with type {element}")


@irdl_custom_directive
class OptionalReduction(CustomDirective):
    """`add`, or nothing."""

    kind: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if (kind := parser.parse_optional_str_enum(Reduction)) is not None:
            self.kind.set(state, ReductionAttr(kind))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        self.kind.print(printer, state, op)


@irdl_custom_directive
class Cluster(CustomDirective):
    """`cluster(size = 4, stride = 2)`, or nothing; a stride of 1 is not printed."""

    size: AttributeVariable
    stride: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        stride = 1
        if parser.parse_optional_keyword("cluster") is not None:
            with parser.in_parens():
                self.size.set(state, IntegerAttr(_parse_assigned(parser, "size"), i32))
                if parser.parse_optional_punctuation(",") is not None:
                    stride = _parse_assigned(parser, "stride")
        self.stride.set(state, IntegerAttr(stride, i32))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        size, stride = self.size.get(op), self.stride.get(op)
        if isa(size, IntegerAttr[I32]):
            assert isa(stride, IntegerAttr[I32])
            suffix = "" if stride.value.data == 1 else f", stride = {stride.value.data}"
            state.print_whitespace(printer)
            printer.print_string(f"cluster(size = {size.value.data}{suffix})")


@irdl_op_definition
class ShuffleOp(IRDLOperation):
    """`%value, %valid = gpu.shuffle xor %x, %offset, %width : f32`.

    Each lane gets the value of another, and whether that lane is among the first `width`.
    """

    name = "gpu.shuffle"
    value = operand_def()
    offset = operand_def(i32)
    width = operand_def(i32)
    shuffle_result = result_def()
    valid = result_def(i1)
    mode = prop_def(ShuffleModeAttr)

    traits = traits_def(Pure())
    custom_directives = (SameType,)
    assembly_format = (
        "$mode $value `,` $offset `,` $width attr-dict `:` custom<SameType>(type($value), type($shuffle_result))"
    )

    def verify_(self) -> None:
        if self.shuffle_result.type != self.value.type:
            raise VerifyException(f"expected a result of type {self.value.type}, got {self.shuffle_result.type}")
        element = self.value.type
        if isa(element, VectorType):
            if element.get_num_dims() != 1:
                raise VerifyException(f"expected a vector of rank 1, got {element}")
            element = element.element_type
        if not isinstance(element, IntegerType | AnyFloat):
            raise VerifyException(f"expected integers or floats, got {self.value.type}")


@irdl_op_definition
class RotateOp(IRDLOperation):
    """`%value, %valid = gpu.rotate %x, 3, 16 : f32`: as a shuffle by a constant, modulo the width."""

    name = "gpu.rotate"
    value = operand_def()
    rotate_result = result_def()
    valid = result_def(i1)
    offset = prop_def(IntegerAttr.constr(i32))
    width = prop_def(IntegerAttr.constr(i32))

    traits = traits_def(Pure())
    custom_directives = (SameType,)
    assembly_format = "$value `,` $offset `,` $width attr-dict `:` custom<SameType>(type($value), type($rotate_result))"

    def verify_(self) -> None:
        offset, width = self.offset.value.data, self.width.value.data
        if self.rotate_result.type != self.value.type:
            raise VerifyException(f"expected a result of type {self.value.type}, got {self.rotate_result.type}")
        if width < 1 or width & (width - 1):
            raise VerifyException(f"expected a width that is a power of two, got {width}")
        if not 0 <= offset < width:
            raise VerifyException(f"expected an offset from 0 to {width - 1}, got {offset}")


@irdl_op_definition
class BallotOp(IRDLOperation):
    """`%mask = gpu.ballot %p : i32` has the bit of each active lane of which the predicate holds."""

    name = "gpu.ballot"
    predicate = operand_def(i1)
    result = result_def(SignlessIntegerConstraint)

    assembly_format = "$predicate attr-dict `:` type($result)"


@irdl_op_definition
class AllReduceOp(IRDLOperation):
    """Combines the values of all work-items of the work-group, by a named operation or by what the region computes.

    `uniform` promises that all work-items get there together.

    ```mlir
    %r = gpu.all_reduce add %x uniform {
    } : (f32) -> f32
    ```
    ```mlir
    %s = gpu.all_reduce %x {
    ^bb0(%a: f32, %b: f32):
      %product = arith.mulf %a, %b : f32
      gpu.yield %product : f32
    } : (f32) -> f32
    ```
    """

    name = "gpu.all_reduce"
    value = operand_def()
    result = result_def()
    op = opt_prop_def(ReductionAttr)
    uniform = opt_prop_def(UnitAttr)
    body = region_def()

    traits = traits_def(IsolatedFromAbove())
    custom_directives = (OptionalReduction,)
    assembly_format = (
        "custom<OptionalReduction>($op) $value (`uniform` $uniform^)? $body"
        " attr-dict `:` functional-type(operands, results)"
    )

    def verify_(self) -> None:
        if not isinstance(self.value.type, IntegerType | AnyFloat):
            raise VerifyException(f"operand must be an integer or a float, got {self.value.type}")
        if self.result.type != self.value.type:
            raise VerifyException(f"expected a result of type {self.value.type}, got {self.result.type}")
        if (self.op is not None) == bool(self.body.blocks):
            raise VerifyException("expected either an op attribute or a non-empty body")
        _verify_kind(self.op, self.value.type)
        if not self.body.blocks:
            return
        types = self.body.blocks[0].arg_types
        if types != (self.value.type, self.value.type):
            raise VerifyException(
                f"expected two region arguments of type {self.value.type}, got {', '.join(map(str, types)) or 'none'}"
            )
        yields = [block.last_op for block in self.body.blocks if isinstance(block.last_op, YieldOp)]
        if not yields:
            raise VerifyException("expected gpu.yield op in region")
        for op in yields:
            if op.operand_types != (self.value.type,):
                raise VerifyException(
                    f"expected one gpu.yield operand of type {self.value.type}, got "
                    f"{', '.join(map(str, op.operand_types)) or 'none'}"
                )


@irdl_op_definition
class SubgroupReduceOp(IRDLOperation):
    """Combines the values of the lanes of a subgroup, or of clusters of them; each lane gets the result of its own.

    `%r = gpu.subgroup_reduce add %x uniform cluster(size = 4, stride = 2) : (f32) -> f32`
    """

    name = "gpu.subgroup_reduce"
    value = operand_def()
    result = result_def()
    op = prop_def(ReductionAttr)
    uniform = opt_prop_def(UnitAttr)
    cluster_size = opt_prop_def(IntegerAttr[I32])
    cluster_stride = prop_def(IntegerAttr[I32], default_value=IntegerAttr(1, i32))

    custom_directives = (Cluster,)
    assembly_format = (
        "$op $value (`uniform` $uniform^)? custom<Cluster>($cluster_size, $cluster_stride)"
        " attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        value: SSAValue | Operation,
        kind: Reduction,
        *,
        uniform: bool = False,
        cluster_size: int | None = None,
        cluster_stride: int = 1,
    ):
        value = SSAValue.get(value)
        super().__init__(
            operands=[value],
            result_types=[value.type],
            properties={
                "op": ReductionAttr(kind),
                "uniform": UnitAttr() if uniform else None,
                "cluster_size": None if cluster_size is None else IntegerAttr(cluster_size, i32),
                "cluster_stride": IntegerAttr(cluster_stride, i32),
            },
        )

    def verify_(self) -> None:
        element = self.value.type
        if isa(element, VectorType):
            if element.get_num_dims() != 1 or any(element.get_scalable_dims()):
                raise VerifyException(f"expected a fixed vector of rank 1, got {element}")
            element = element.element_type
        if not isinstance(element, IntegerType | AnyFloat):
            raise VerifyException(f"operand must hold integers or floats, got {self.value.type}")
        if self.result.type != self.value.type:
            raise VerifyException(f"expected a result of type {self.value.type}, got {self.result.type}")
        _verify_kind(self.op, element)
        stride = self.cluster_stride.value.data
        if self.cluster_size is None:
            if stride != 1:
                raise VerifyException("cluster stride can only be specified if cluster size is specified")
            return
        for name, value in (("size", self.cluster_size.value.data), ("stride", stride)):
            if value < 1 or value & (value - 1):
                raise VerifyException(f"cluster {name} {value} is not a power of two")


def _parse_assigned(parser: Parser, name: str) -> int:
    parser.parse_keyword(name)
    parser.parse_punctuation("=")
    return parser.parse_integer()


@irdl_op_definition
class YieldOp(IRDLOperation):
    """`gpu.yield %x : f32` ends the body of a reduction."""

    name = "gpu.yield"
    values = var_operand_def()

    traits = traits_def(HasParent(AllReduceOp), IsTerminator(), Pure())
    assembly_format = "attr-dict ($values^ `:` type($values))?"
