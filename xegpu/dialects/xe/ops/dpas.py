"""Products of matrices."""

from __future__ import annotations

from xdsl.dialects.builtin import I32, ArrayAttr, IntegerAttr, i32
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.xe.ops.attributes import Read, ReadAttr, Write, WriteAttr
from xegpu.dialects.xe.ops.base import InstructionOp, check_exec_size, has_operand
from xegpu.dialects.xe.ops.types import GRFType


class DpasOp(InstructionOp):
    """`dpas`: D = C + A x B on `repeat` rows. `reads` describes C, B and A, `write` describes D.

    Without `acc`, C is zero.

    ```mlir
    %d = xe.dpas acc %c : !xe.grf<512, 64>(%b, %a : !xe.grf<512, 64>, !xe.grf<256, 64>) {exec_size = 16 : i32,
        reads = [#xe.read<f>, #xe.read<bf>, #xe.read<bf>], repeat = 8 : i32,
        write = #xe.write<f>} -> !xe.grf<512, 64>
    ```
    """

    into = opt_operand_def(GRFType)
    c = opt_operand_def(GRFType)
    b = operand_def(GRFType)
    a = operand_def(GRFType)
    repeat = prop_def(IntegerAttr[I32])
    exec_size = prop_def(IntegerAttr[I32])
    write = prop_def(WriteAttr)
    reads = prop_def(ArrayAttr[ReadAttr])
    result = result_def(GRFType)

    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "(`into` $into^ `:` type($into))? (`acc` $c^ `:` type($c))? `(` $b `,` $a `:` type($b) `,` type($a) `)`"
        " attr-dict `->` type($result)"
    )

    def __init__(
        self,
        exec_size: int,
        repeat: int,
        c: tuple[SSAValue, Read] | Read,
        b: tuple[SSAValue, Read],
        a: tuple[SSAValue, Read],
        write: Write,
        result: GRFType,
        into: SSAValue | None = None,
    ):
        accumulator, read = (None, c) if isinstance(c, Read) else c
        super().__init__(
            operands=[into, accumulator, b[0], a[0]],
            result_types=[result],
            properties={
                "repeat": IntegerAttr(repeat, i32),
                "exec_size": IntegerAttr(exec_size, i32),
                "write": WriteAttr(write),
                "reads": ArrayAttr([ReadAttr(read), ReadAttr(b[1]), ReadAttr(a[1])]),
            },
        )

    @property
    def tied(self) -> SSAValue | None:
        return self.operands[0] if has_operand(self, 0) else None

    def verify_(self) -> None:
        if len(self.reads) != 3:
            raise VerifyException(f"dpas describes C, B and A, got {len(self.reads)} reads")
        if not 1 <= self.repeat.value.data <= 8:
            raise VerifyException(f"repeat count {self.repeat.value.data}, expected 1 to 8")
        check_exec_size(self.exec_size.value.data)
        if self.into is not None and self.result.type != self.into.type:
            raise VerifyException("the result of an instruction with `into` has the type of that operand")
