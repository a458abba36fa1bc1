"""Atomic updates of one element.

xDSL's `atomic_rmw` has no custom assembly, and the generic op is missing.

https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import I64, AnyFloat, IndexType, IntegerAttr, IntegerType, MemRefType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.irdl.declarative_assembly_format import AttributeVariable, TypeDirective, irdl_custom_directive
from xdsl.traits import HasParent, IsTerminator, MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.directives import ImpliedType, NumberedWord, numbered
from xegpu.dialects.upstream.memref.types import ranked_memref, verify_subscripts

ATOMIC_KINDS = (
    "addf",
    "addi",
    "andi",
    "assign",
    "maximumf",
    "maxnumf",
    "maxs",
    "maxu",
    "minimumf",
    "minnumf",
    "mins",
    "minu",
    "mulf",
    "muli",
    "ori",
    "xori",
)
"""Kinds of read-modify-write in the order of their numbers, which are those of LLVM 22; LLVM 19 counts differently."""


@irdl_custom_directive
class AtomicKindWord(NumberedWord):
    """`addf`: the word for a kind."""

    WORDS: ClassVar = numbered(*ATOMIC_KINDS)
    number: AttributeVariable


@irdl_op_definition
class AtomicRMWOp(IRDLOperation):
    """Combines an element of a buffer with a value, in one step; the result is the old element.

    `%r = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<8xf32>) -> f32`
    """

    name = "memref.atomic_rmw"
    value = operand_def()
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    kind = prop_def(IntegerAttr[I64])
    result = result_def()

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    custom_directives = (AtomicKindWord,)
    assembly_format = (
        "custom<AtomicKindWord>($kind) $value `,` $memref `[` $indices `]`"
        " attr-dict `:` `(` type($value) `,` type($memref) `)` `->` type($result)"
    )

    def __init__(
        self,
        kind: str,
        value: SSAValue | Operation,
        memref: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
    ):
        super().__init__(
            operands=[value, memref, indices],
            result_types=[SSAValue.get(value).type],
            properties={"kind": IntegerAttr(ATOMIC_KINDS.index(kind), i64)},
        )

    @property
    def kind_name(self) -> str:
        """The kind as text writes it."""
        return ATOMIC_KINDS[self.kind.value.data]

    def verify_(self) -> None:
        memref = ranked_memref(self.memref)
        if not 0 <= self.kind.value.data < len(ATOMIC_KINDS):
            raise VerifyException(f"expected a kind from 0 to {len(ATOMIC_KINDS) - 1}, got {self.kind.value.data}")
        verify_subscripts(memref, self.indices)
        if not self.value.type == self.result.type == memref.element_type:
            raise VerifyException(
                f"expects value and result of type {memref.element_type}, got {self.value.type} and {self.result.type}"
            )
        is_float = isa(memref.element_type, AnyFloat)
        if self.kind_name != "assign" and is_float != self.kind_name.endswith("f"):
            wanted = "an integer" if is_float else "a floating-point type"
            raise VerifyException(f"with kind '{self.kind_name}' expects {wanted}, got {memref.element_type}")


@irdl_op_definition
class AtomicYieldOp(IRDLOperation):
    """`memref.atomic_yield %new : f32` ends the body of a `memref.generic_atomic_rmw`."""

    name = "memref.atomic_yield"
    result = operand_def()

    traits = lazy_traits_def(lambda: (Pure(), IsTerminator(), HasParent(GenericAtomicRMWOp)))
    assembly_format = "$result attr-dict `:` type($result)"


@irdl_custom_directive
class ElementOf(ImpliedType):
    """The type of a memref; the result is one of its elements."""

    written: TypeDirective
    implied: TypeDirective

    @staticmethod
    def follow(written: Attribute) -> Attribute:
        if not isa(written, MemRefType):
            raise VerifyException(f"expected a memref type, got {written}")
        return written.element_type


@irdl_op_definition
class GenericAtomicRMWOp(IRDLOperation):
    """Replaces an element of a buffer by the value that the body computes from it, in one step, and returns that value.

    ```mlir
    %r = memref.generic_atomic_rmw %m[%i] : memref<8xf32> {
    ^bb0(%old: f32):
      %new = arith.mulf %old, %x : f32
      memref.atomic_yield %new : f32
    }
    ```
    """

    name = "memref.generic_atomic_rmw"
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    result = result_def()
    body = region_def("single_block")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    custom_directives = (ElementOf,)
    assembly_format = "$memref `[` $indices `]` `:` custom<ElementOf>(type($memref), type($result)) $body attr-dict"

    def verify_(self) -> None:
        memref = ranked_memref(self.memref)
        verify_subscripts(memref, self.indices)
        element = memref.element_type
        if not isa(element, AnyFloat) and not isinstance(element, IntegerType):
            raise VerifyException(f"expects a memref of integers or floating-point numbers, got {memref}")
        block = self.body.block
        if self.result.type != element or tuple(block.arg_types) != (element,):
            raise VerifyException(
                f"expects a result and one argument of type {element}, got {self.result.type} and "
                f"{', '.join(map(str, block.arg_types)) or 'no argument'}"
            )
        last = block.last_op
        if not isinstance(last, AtomicYieldOp) or last.result.type != element:
            raise VerifyException(f"expects a memref.atomic_yield of {element} at the end of its body")
        for op in block.walk():
            if op is not last and not op.has_trait(Pure):
                raise VerifyException(f"expects operations without side effects in its body, got '{op.name}'")
