"""Conversions between element types, for scalars, vectors and tensors.

Most of xDSL's conversions take scalars only; overflow flags, rounding modes and `index_castui` are missing.

https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from abc import ABC
from enum import Enum
from typing import ClassVar, NamedTuple

from xdsl.dialects.arith import FastMathFlagsAttr, IntegerOverflowAttr
from xdsl.dialects.builtin import (
    I32,
    FixedBitwidthType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def, result_def, traits_def
from xdsl.irdl.declarative_assembly_format import AttributeVariable, ParsingState, irdl_custom_directive
from xdsl.parser import Parser
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from xegpu.dialects.construction import initialize
from xegpu.dialects.upstream.directives import NumberedWord, numbered
from xegpu.dialects.upstream.shapes import (
    ElementTest,
    is_float,
    is_index,
    is_integer_or_index,
    is_like,
    is_signless_integer,
    same_shape,
)


class Width(Enum):
    """The relation of the bits of an element of the result to those of the operand."""

    ANY = "any"
    WIDER = "wider"
    NARROWER = "narrower"


class CastRule(NamedTuple):
    """The types that a cast converts from and to."""

    source: ElementTest
    target: ElementTest
    width: Width = Width.ANY

    def allows(self, source: Attribute, target: Attribute) -> bool:
        kinds_fit = is_like(source, self.source) and is_like(target, self.target) and same_shape(source, target)
        return kinds_fit and self._width_fits(get_element_type_or_self(source), get_element_type_or_self(target))

    def _width_fits(self, source: Attribute, target: Attribute) -> bool:
        if self.width is Width.ANY:
            return True
        assert isinstance(source, FixedBitwidthType)
        assert isinstance(target, FixedBitwidthType)
        if self.width is Width.WIDER:
            return target.bitwidth > source.bitwidth
        return target.bitwidth < source.bitwidth


class CastOp(IRDLOperation, ABC):
    """`arith.extsi %x : vector<16xi8> to vector<16xi32>`: each element is converted, the shape stays."""

    RULE: ClassVar[CastRule]

    input = operand_def()
    result = result_def()

    traits = traits_def(Pure())
    assembly_format: ClassVar[str] = "$input attr-dict `:` type($input) `to` type($result)"

    def __init__(self, source: SSAValue | Operation, result_type: Attribute):
        initialize(self, [source], [result_type])

    def verify_(self) -> None:
        source, target = self.input.type, self.result.type
        if not self.RULE.allows(source, target):
            width = "" if self.RULE.width is Width.ANY else f": expected {self.RULE.width.value} elements of one kind"
            raise VerifyException(f"operand type '{source}' and result type '{target}' are cast incompatible{width}")


@irdl_op_definition
class ExtSIOp(CastOp):
    """`%r = arith.extsi %x : vector<16xi8> to vector<16xi32>`: integers to wider ones, filled with the sign."""

    name = "arith.extsi"
    RULE: ClassVar = CastRule(is_signless_integer, is_signless_integer, Width.WIDER)


@irdl_op_definition
class ExtUIOp(CastOp):
    """`%r = arith.extui %x : vector<16xi8> to vector<16xi32>`: integers to wider ones, filled with zeros."""

    name = "arith.extui"
    RULE: ClassVar = CastRule(is_signless_integer, is_signless_integer, Width.WIDER)


@irdl_op_definition
class TruncIOp(CastOp):
    """The low bits of integers; `overflow` promises that those which are dropped hold nothing but the sign, or zeros.

    `%r = arith.trunci %x overflow<nsw> : i32 to i8`
    """

    name = "arith.trunci"
    RULE: ClassVar = CastRule(is_signless_integer, is_signless_integer, Width.NARROWER)
    overflow_flags = opt_prop_def(
        IntegerOverflowAttr, default_value=IntegerOverflowAttr("none"), prop_name="overflowFlags"
    )
    assembly_format = "$input (`overflow` `` $overflowFlags^)? attr-dict `:` type($input) `to` type($result)"


@irdl_op_definition
class ExtFOp(CastOp):
    """`%r = arith.extf %x : vector<16xbf16> to vector<16xf32>`: floats to wider ones, exactly."""

    name = "arith.extf"
    RULE: ClassVar = CastRule(is_float, is_float, Width.WIDER)
    fastmath = opt_prop_def(FastMathFlagsAttr)
    assembly_format = "$input (`fastmath` `` $fastmath^)? attr-dict `:` type($input) `to` type($result)"


@irdl_op_definition
class SIToFPOp(CastOp):
    """Signed integers to floats, rounded to nearest even.

    `%r = arith.sitofp %x : vector<16xi32> to vector<16xf32>`
    """

    name = "arith.sitofp"
    RULE: ClassVar = CastRule(is_signless_integer, is_float)


@irdl_op_definition
class UIToFPOp(CastOp):
    """Unsigned integers to floats, rounded to nearest even.

    `%r = arith.uitofp %x : vector<16xi32> to vector<16xf32>`
    """

    name = "arith.uitofp"
    RULE: ClassVar = CastRule(is_signless_integer, is_float)


@irdl_op_definition
class FPToSIOp(CastOp):
    """`%r = arith.fptosi %x : vector<16xf32> to vector<16xi32>`: floats to signed integers, rounded to zero."""

    name = "arith.fptosi"
    RULE: ClassVar = CastRule(is_float, is_signless_integer)


@irdl_op_definition
class FPToUIOp(CastOp):
    """`%r = arith.fptoui %x : vector<16xf32> to vector<16xi32>`: floats to unsigned integers, rounded to zero."""

    name = "arith.fptoui"
    RULE: ClassVar = CastRule(is_float, is_signless_integer)


def _contents(value: Attribute) -> Attribute:
    """Returns a memref as a tensor, which is cast by the same rules, and any other type as it is."""
    return TensorType(value.element_type, value.shape) if isa(value, MemRefType[IntegerType | IndexType]) else value


class _IndexCastOp(CastOp):
    """Between index and integers, sign- or zero-extending where the result is wider; of whole memrefs, too."""

    RULE: ClassVar = CastRule(is_integer_or_index, is_integer_or_index)

    def verify_(self) -> None:
        source, target = self.input.type, self.result.type
        memrefs = (isinstance(source, MemRefType), isinstance(target, MemRefType))
        from_type, to_type = _contents(source), _contents(target)
        fits = self.RULE.allows(from_type, to_type) and memrefs[0] == memrefs[1]
        if not fits or is_like(from_type, is_index) == is_like(to_type, is_index):
            raise VerifyException(
                f"operand type '{source}' and result type '{target}' are cast incompatible: expected index and an "
                "integer in one shape"
            )


@irdl_op_definition
class IndexCastOp(_IndexCastOp):
    """Between index and integers, sign-extending where the result is wider; of whole memrefs, too.

    `%r = arith.index_cast %i : index to i32`
    """

    name = "arith.index_cast"


@irdl_op_definition
class IndexCastUIOp(_IndexCastOp):
    """Between index and integers, zero-extending where the result is wider; of whole memrefs, too.

    `%r = arith.index_castui %x : vector<16xi32> to vector<16xindex>`
    """

    name = "arith.index_castui"


ROUNDING_MODES = ("to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away")


@irdl_custom_directive
class RoundingMode(NumberedWord):
    """`to_nearest_even`."""

    WORDS: ClassVar = numbered(*ROUNDING_MODES)
    TYPE: ClassVar = i32
    number: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the word, or nothing."""
        if (word := parser.parse_optional_keyword_in(self.WORDS)) is not None:
            self.number.set(state, IntegerAttr(self.WORDS[word], i32))


def verify_rounding_mode(mode: IntegerAttr[I32] | None) -> None:
    """Raises VerifyException for a number that stands for no mode."""
    if mode is not None and not 0 <= mode.value.data < len(ROUNDING_MODES):
        raise VerifyException(f"expected roundingmode from 0 to {len(ROUNDING_MODES) - 1}, got {mode.value.data}")


@irdl_op_definition
class TruncFOp(CastOp):
    """Floats to narrower ones, rounded to nearest even or as the op says.

    `%r = arith.truncf %x to_nearest_even : vector<16xf32> to vector<16xbf16>`
    """

    name = "arith.truncf"
    RULE: ClassVar = CastRule(is_float, is_float, Width.NARROWER)
    roundingmode = opt_prop_def(IntegerAttr[I32])
    fastmath = opt_prop_def(FastMathFlagsAttr)
    custom_directives = (RoundingMode,)
    assembly_format = (
        "$input custom<RoundingMode>($roundingmode) (`fastmath` `` $fastmath^)? attr-dict"
        " `:` type($input) `to` type($result)"
    )

    @property
    def rounding(self) -> str:
        """The word for the rounding mode, nearest even unless the op says otherwise."""
        return ROUNDING_MODES[0 if self.roundingmode is None else self.roundingmode.value.data]

    def verify_(self) -> None:
        super().verify_()
        verify_rounding_mode(self.roundingmode)
