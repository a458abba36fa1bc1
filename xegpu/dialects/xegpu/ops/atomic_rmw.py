"""The atomic op."""

from __future__ import annotations

from xdsl.dialects.builtin import I64, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from xegpu.diagnostics import about
from xegpu.dialects.xegpu import rules
from xegpu.dialects.xegpu.atomic_kind import BY_KEYWORD, AtomicKind
from xegpu.dialects.xegpu.lane_maps import DISTRIBUTION
from xegpu.dialects.xegpu.syntax import parse_assembly, print_assembly
from xegpu.dialects.xegpu.types import TensorDescType, descriptor_type


@irdl_op_definition
class AtomicRMWOp(IRDLOperation):
    """Combines the elements of each lane that `mask` names with those of `value`, atomically; gives what was there.

    `%old = xegpu.atomic_rmw addf %td, %mask, %v : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>,
    vector<16xi1>, vector<16xf32> -> vector<16xf32>`

    Value and result have the shape of the descriptor, chunks are not transposed; where it has an sg_map they may be the
    fragment of a lane. Nothing is ordered beyond atomicity.
    """

    name = "xegpu.atomic_rmw"
    kind = prop_def(IntegerAttr[I64])
    tensor_desc = operand_def(TensorDescType)
    mask = operand_def()
    value = operand_def()
    layout = opt_prop_def(DISTRIBUTION)
    result = result_def()

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        kind: AtomicKind,
        tensor_desc: SSAValue | Operation,
        mask: SSAValue | Operation,
        value: SSAValue | Operation,
    ):
        super().__init__(
            operands=[tensor_desc, mask, value],
            result_types=[SSAValue.get(value).type],
            properties={"kind": kind.attribute},
        )

    @property
    def atomic_kind(self) -> AtomicKind:
        return AtomicKind(self.kind.value.data)

    @classmethod
    def parse(cls, parser: Parser) -> AtomicRMWOp:
        position = parser.pos
        keyword = parser.parse_identifier_or_str_literal()
        if keyword not in BY_KEYWORD:
            parser.raise_error(
                f"unknown atomic kind '{keyword}', expected one of {', '.join(BY_KEYWORD)}", position, parser.pos
            )

        def parse_type() -> Attribute:
            """LLVM 19 leaves out the name of the descriptor's type."""
            return parser.parse_optional_type() or TensorDescType.new(TensorDescType.parse_parameters(parser))

        assembly = parse_assembly(parser, cls, parse_type)
        assembly.properties["kind"] = BY_KEYWORD[keyword].attribute
        return assembly.make(cls)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.atomic_kind.keyword}")
        layout = {} if self.layout is None else {"layout": self.layout}
        print_assembly(printer, self, {}, {**layout, **self.attributes})

    def verify_(self) -> None:
        with about(tensor_desc=self.tensor_desc, mask=self.mask, value=self.value):
            desc = descriptor_type(self.tensor_desc)
            rules.scattered_descriptor(desc)
            shape = rules.value_shape(self.value.type, "Expecting a vector type for the value.")
            result = rules.value_shape(self.result.type, "Expecting a vector type result.")
            rules.same_element_type(tensorDesc=desc, value=self.value.type, result=self.result.type)
            if shape != result or shape not in (desc.get_shape(), desc.fragment_shape()):
                raise VerifyException(
                    f"failed to verify that all of {{tensorDesc, value, result}} have same shape: tensorDesc has "
                    f"{list(desc.get_shape())}, value has {list(shape)}, result has {list(result)}"
                )
            rules.mask("operand #1", self.mask.type)
            mask = rules.shape_of(self.mask.type)
            if mask != desc.get_shape() and not rules.is_for_each_lane(mask, desc):
                raise VerifyException(
                    f"expected a mask of the shape of the TensorDesc {list(desc.get_shape())}, or one entry for each "
                    f"lane, got {self.mask.type}"
                )
        number = self.kind.value.data
        if number not in set(AtomicKind):
            raise VerifyException(f"expected kind from 0 to {max(AtomicKind)}, got {number}")
        if not self.atomic_kind.fits(desc.element_type):
            raise VerifyException(
                f"atomic kind {self.atomic_kind.keyword} cannot combine elements of type {desc.element_type}"
            )
