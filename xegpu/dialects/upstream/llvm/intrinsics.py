"""Intrinsics of LLVM as operations: a table of those that xDSL lacks.

https://mlir.llvm.org/docs/Dialects/LLVM/#operations-for-llvm-ir-intrinsics
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import FunctionType, IntegerAttr, i64
from xdsl.irdl import (
    AnyAttr,
    EqAttrConstraint,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

_COMPUTING = (
    *("acos", "asin", "atan", "atan2", "bitreverse", "bswap", "cosh", "ctpop", "exp10", "fmuladd", "frexp", "fshl"),
    *("fshr", "ldexp", "llrint", "llround", "log10", "lrint", "lround", "maximum", "minimum", "nearbyint", "powi"),
    *("rint", "round", "roundeven", "sadd.sat", "scmp", "sincos", "sinh", "smax", "smin", "sshl.sat", "ssub.sat"),
    *("tan", "tanh", "trunc", "uadd.sat", "ucmp", "umax", "umin", "ushl.sat", "usub.sat", "vector.reduce.fmax"),
    *("vector.reduce.fmaximum", "vector.reduce.fmin", "vector.reduce.fminimum"),
)
"""The intrinsics whose custom form has their operands and a function type."""
_COMPUTING_GENERIC = (
    *("abs", "arithmetic.fence", "ctlz", "cttz", "is.constant", "is.fpclass", "ptrmask", "sadd.with.overflow"),
    *("smul.with.overflow", "ssub.with.overflow", "uadd.with.overflow", "umul.with.overflow", "usub.with.overflow"),
    *("vector.deinterleave2", "vector.interleave2", "vector.reduce.add", "vector.reduce.and", "vector.reduce.mul"),
    *("vector.reduce.or", "vector.reduce.smax", "vector.reduce.smin", "vector.reduce.umax", "vector.reduce.umin"),
    *("vector.reduce.xor",),
)
_EFFECTS = (
    *("annotation", "expect.with.probability", "fake.use", "invariant.end", "invariant.start"),
    *("launder.invariant.group", "memcpy", "memcpy.inline", "memmove", "memset", "memset.inline", "prefetch"),
    *("ptr.annotation", "strip.invariant.group", "ubsantrap", "var.annotation"),
)
_VALUE_AND_TYPE = ("assume", "expect", "lifetime.end", "lifetime.start", "ssa.copy", "stepvector")
"""The intrinsics whose custom form has their operands, which have one type, and this type."""


class IntrinsicOp(IRDLOperation):
    """A call of an intrinsic of LLVM, in the generic form.

    The operation's name tells which intrinsic; its properties are constant arguments.

    `%n = "llvm.intr.ctlz"(%x) <{is_zero_poison = false}> : (i32) -> i32`
    """

    args = var_operand_def()
    res = var_result_def()

    access_groups = opt_prop_def()
    alias_scopes = opt_prop_def()
    alignment = opt_prop_def()
    arg_attrs = opt_prop_def()
    bit = opt_prop_def()
    cache = opt_prop_def()
    fastmath_flags = opt_prop_def(prop_name="fastmathFlags")
    hint = opt_prop_def()
    is_volatile = opt_prop_def(prop_name="isVolatile")
    is_int_min_poison = opt_prop_def()
    is_zero_poison = opt_prop_def()
    len = opt_prop_def()
    noalias_scopes = opt_prop_def()
    op_bundle_sizes = opt_prop_def()
    op_bundle_tags = opt_prop_def()
    operand_segment_sizes = opt_prop_def(prop_name="operandSegmentSizes")
    prob = opt_prop_def()
    pos = opt_prop_def()
    res_attrs = opt_prop_def()
    rw = opt_prop_def()
    size = opt_prop_def()
    tbaa = opt_prop_def()

    @property
    def intrinsic(self) -> str:
        """The name of the intrinsic in LLVM IR, without types."""
        return f"llvm.{self.name.removeprefix('llvm.intr.')}"


class CallingIntrinsicOp(IntrinsicOp):
    """An intrinsic whose custom form is a call: operands, attributes, and the type of a function.

    `%r = llvm.intr.round(%x) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32`
    """

    PARENTHESES: ClassVar = True
    ONE_TYPE: ClassVar = False

    @classmethod
    def parse(cls, parser: Parser) -> CallingIntrinsicOp:
        delimiter = parser.Delimiter.PAREN if cls.PARENTHESES else parser.Delimiter.NONE
        first = parser.parse_optional_unresolved_operand() if not cls.PARENTHESES else None
        names = [first] if first is not None else []
        if cls.PARENTHESES or (first is not None and parser.parse_optional_punctuation(",") is not None):
            names += parser.parse_comma_separated_list(delimiter, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        position = parser.pos
        parser.parse_punctuation(":")
        if cls.ONE_TYPE:
            type = parser.parse_type()
            types = FunctionType.from_lists([type] * len(names), [type] if cls._gives_value() else [])
        else:
            types = parser.parse_function_type()
        known = cls.get_irdl_definition().properties
        return cls.create(
            operands=parser.resolve_operands(names, types.inputs.data, position),
            result_types=types.outputs.data,
            properties={name: attributes.pop(name) for name in list(attributes) if name in known},
            attributes=attributes,
        )

    @classmethod
    def _gives_value(cls) -> bool:
        return cls.name.removeprefix("llvm.intr.") in _GIVING

    def print(self, printer: Printer) -> None:
        printer.print_string("(" if self.PARENTHESES else " ")
        printer.print_list(self.args, printer.print_ssa_value)
        printer.print_string(")" if self.PARENTHESES else "")
        printer.print_op_attributes(self.properties | self.attributes)
        printer.print_string(" : ")
        if self.ONE_TYPE:
            printer.print_attribute((*self.args, *self.res)[0].type)
        else:
            printer.print_attribute(FunctionType.from_lists([a.type for a in self.args], [r.type for r in self.res]))


class BareIntrinsicOp(IntrinsicOp):
    """`llvm.intr.trap`: an intrinsic whose custom form is its name."""

    @classmethod
    def parse(cls, parser: Parser) -> BareIntrinsicOp:
        return cls.create(attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)


class ListedIntrinsicOp(CallingIntrinsicOp):
    """An intrinsic whose custom form has its operands without parentheses, and the type of a function.

    ```mlir
    %v = llvm.intr.masked.load %p, %m, %x {alignment = 4 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) \
-> vector<4xf32>
    ```
    """

    PARENTHESES: ClassVar = False


class TypedIntrinsicOp(ListedIntrinsicOp):
    """`%r = llvm.intr.expect %x, %y : i32`: an intrinsic whose operands and results have one type."""

    ONE_TYPE: ClassVar = True


_GIVING = frozenset({"expect", "ssa.copy", "stepvector"})


def _intrinsics(base: type[IntrinsicOp], names: tuple[str, ...], *, pure: bool) -> tuple[type[IntrinsicOp], ...]:
    return tuple(_intrinsic(base, name, pure=pure) for name in names)


def _intrinsic(base: type[IntrinsicOp], name: str, *, pure: bool) -> type[IntrinsicOp]:
    members: dict[str, object] = {
        "name": f"llvm.intr.{name}",
        "__module__": __name__,
        "__doc__": f"The intrinsic `llvm.{name}` of LLVM.",
    }
    if pure:
        members["traits"] = traits_def(Pure())
    title = name.replace(".", "_").title().replace("_", "")
    return irdl_op_definition(type(f"{title}Op", (base,), members))


@irdl_op_definition
class MaskedScatterOp(IRDLOperation):
    """Writes those elements of a vector whose bit is set in the mask, each to its pointer.

    ```mlir
    llvm.intr.masked.scatter %v, %p, %m {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> \
into vector<4x!llvm.ptr<1>>
    ```
    """

    name = "llvm.intr.masked.scatter"
    value = operand_def()
    ptrs = operand_def()
    mask = operand_def()
    alignment = opt_prop_def()

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$value `,` $ptrs `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($ptrs)"


@irdl_op_definition
class VectorInsertOp(IRDLOperation):
    """`%r = llvm.intr.vector.insert %part, %v[4] : vector<4xf32> into vector<8xf32>`: a vector with another part."""

    name = "llvm.intr.vector.insert"
    T: ClassVar = VarConstraint("T", AnyAttr())

    dstvec = operand_def(T)
    srcvec = operand_def()
    res = result_def(T)
    pos = prop_def(IntegerAttr.constr(EqAttrConstraint(i64)))

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$srcvec `,` $dstvec `[` $pos `]` attr-dict `:` type($srcvec) `into` type($res)"


@irdl_op_definition
class VectorExtractOp(IRDLOperation):
    """`%r = llvm.intr.vector.extract %v[4] : vector<4xf32> from vector<8xf32>`: a part of a vector."""

    name = "llvm.intr.vector.extract"
    srcvec = operand_def()
    res = result_def()
    pos = prop_def(IntegerAttr.constr(EqAttrConstraint(i64)))

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$srcvec `[` $pos `]` attr-dict `:` type($res) `from` type($srcvec)"


INTRINSICS: tuple[type[IntrinsicOp], ...] = (
    *_intrinsics(CallingIntrinsicOp, _COMPUTING, pure=True),
    *_intrinsics(IntrinsicOp, _COMPUTING_GENERIC, pure=True),
    *_intrinsics(IntrinsicOp, _EFFECTS, pure=False),
    *_intrinsics(BareIntrinsicOp, ("debugtrap", "trap"), pure=False),
    *_intrinsics(TypedIntrinsicOp, _VALUE_AND_TYPE, pure=False),
    *_intrinsics(ListedIntrinsicOp, ("masked.gather", "masked.load"), pure=False),
)
