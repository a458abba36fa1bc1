"""Named barriers and the fence. All are uniform over a subgroup, whether or not it is distributed over its lanes."""

from __future__ import annotations

from xdsl.dialects.builtin import I8, I64, IntegerAttr, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.xegpu.attributes import FenceScope, FenceScopeAttr, MemorySpace, MemorySpaceAttr
from xegpu.dialects.xegpu.syntax import parse_assembly, print_assembly
from xegpu.dialects.xegpu.types import NbarrierType


@irdl_op_definition
class AllocNbarrierOp(IRDLOperation):
    """Says how many named barriers the kernel uses; stands once in a kernel.

    `xegpu.alloc_nbarrier 8`
    """

    name = "xegpu.alloc_nbarrier"
    nbarrier_num = prop_def(IntegerAttr[I64])

    def __init__(self, nbarrier_num: int):
        super().__init__(properties={"nbarrier_num": IntegerAttr(nbarrier_num, i64)})

    @classmethod
    def parse(cls, parser: Parser) -> AllocNbarrierOp:
        number = IntegerAttr(parser.parse_integer(allow_boolean=False), i64)
        return cls.create(properties={"nbarrier_num": number}, attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.nbarrier_num.value.data}")
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        if (number := self.nbarrier_num.value.data) < 0:
            raise VerifyException(f"expected a number of named barriers of at least 0, got {number}")


@irdl_op_definition
class InitNbarrierOp(IRDLOperation):
    """Names barrier `nbarrier_id` and sets how many subgroups take part; each of them does so, with equal numbers.

    `%nb = xegpu.init_nbarrier %id, %n : i8, i8 -> !xegpu.nbarrier`
    """

    name = "xegpu.init_nbarrier"
    nbarrier_id = operand_def(I8)
    participant_thread_num = operand_def(I8)
    result = result_def(NbarrierType)

    def __init__(self, nbarrier_id: SSAValue | Operation, participant_thread_num: SSAValue | Operation):
        super().__init__(operands=[nbarrier_id, participant_thread_num], result_types=[NbarrierType()])

    @classmethod
    def parse(cls, parser: Parser) -> InitNbarrierOp:
        return parse_assembly(parser, cls).make(cls)

    def print(self, printer: Printer) -> None:
        print_assembly(printer, self, self.properties)


class _NbarrierOp(IRDLOperation):
    """What a participant does at a named barrier."""

    nbarrier = operand_def(NbarrierType)

    def __init__(self, nbarrier: SSAValue | Operation):
        super().__init__(operands=[nbarrier])

    def print(self, printer: Printer) -> None:
        print_assembly(printer, self, self.properties)


@irdl_op_definition
class NbarrierArriveOp(_NbarrierOp):
    """Tells the others that this subgroup has arrived; does not wait.

    `xegpu.nbarrier_arrive %nb : !xegpu.nbarrier`
    """

    name = "xegpu.nbarrier_arrive"

    @classmethod
    def parse(cls, parser: Parser) -> NbarrierArriveOp:
        return parse_assembly(parser, cls).make(cls)


@irdl_op_definition
class NbarrierWaitOp(_NbarrierOp):
    """Waits until all participants have arrived; the barrier then starts over.

    `xegpu.nbarrier_wait %nb : !xegpu.nbarrier`
    """

    name = "xegpu.nbarrier_wait"

    @classmethod
    def parse(cls, parser: Parser) -> NbarrierWaitOp:
        return parse_assembly(parser, cls).make(cls)


@irdl_op_definition
class FenceOp(IRDLOperation):
    """Orders earlier accesses of one kind of memory before later ones, for all in the scope; no barrier.

    `xegpu.fence memory_kind = slm, fence_scope = workgroup`
    """

    name = "xegpu.fence"
    memory_kind = prop_def(MemorySpaceAttr)
    fence_scope = prop_def(FenceScopeAttr)

    def __init__(self, memory_kind: MemorySpace, fence_scope: FenceScope):
        super().__init__(
            properties={"memory_kind": MemorySpaceAttr(memory_kind), "fence_scope": FenceScopeAttr(fence_scope)}
        )

    @classmethod
    def parse(cls, parser: Parser) -> FenceOp:
        parser.parse_keyword("memory_kind")
        parser.parse_punctuation("=")
        kind = parser.parse_str_enum(MemorySpace)
        parser.parse_punctuation(",")
        parser.parse_keyword("fence_scope")
        parser.parse_punctuation("=")
        scope = parser.parse_str_enum(FenceScope)
        return cls.create(
            properties={"memory_kind": MemorySpaceAttr(kind), "fence_scope": FenceScopeAttr(scope)},
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(
            f" memory_kind = {self.memory_kind.data.value}, fence_scope = {self.fence_scope.data.value}"
        )
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class CompileHintOp(IRDLOperation):
    """Keeps the scheduler from moving code across it; does nothing else.

    `xegpu.compile_hint`
    """

    name = "xegpu.compile_hint"
    assembly_format = "attr-dict"

    def __init__(self) -> None:
        super().__init__()
