"""Named barriers and the fence. All are uniform over a subgroup, whether or not it is distributed over its lanes."""

from __future__ import annotations

from xdsl.dialects.builtin import I8, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.xegpu.attributes import FenceScope, FenceScopeAttr, MemorySpace, MemorySpaceAttr
from xegpu.dialects.xegpu.syntax import CommonFormOp
from xegpu.dialects.xegpu.types import NbarrierType


@irdl_op_definition
class AllocNbarrierOp(IRDLOperation):
    """Says how many named barriers the kernel uses; stands once in a kernel.

    `xegpu.alloc_nbarrier 8`
    """

    name = "xegpu.alloc_nbarrier"
    nbarrier_num = prop_def(IntegerAttr.constr(i64))

    assembly_format = "$nbarrier_num attr-dict"

    def __init__(self, nbarrier_num: int):
        super().__init__(properties={"nbarrier_num": IntegerAttr(nbarrier_num, i64)})

    def verify_(self) -> None:
        if (number := self.nbarrier_num.value.data) < 0:
            raise VerifyException(f"expected a number of named barriers of at least 0, got {number}")


@irdl_op_definition
class InitNbarrierOp(CommonFormOp):
    """Names barrier `nbarrier_id` and sets how many subgroups take part; each of them does so, with equal numbers.

    `%nb = xegpu.init_nbarrier %id, %n : i8, i8 -> !xegpu.nbarrier`
    """

    name = "xegpu.init_nbarrier"
    nbarrier_id = operand_def(I8)
    participant_thread_num = operand_def(I8)
    result = result_def(NbarrierType)

    def __init__(self, nbarrier_id: SSAValue | Operation, participant_thread_num: SSAValue | Operation):
        super().__init__(operands=[nbarrier_id, participant_thread_num], result_types=[NbarrierType()])


class _NbarrierOp(CommonFormOp):
    """An action of a participant at a named barrier."""

    nbarrier = operand_def(NbarrierType)

    def __init__(self, nbarrier: SSAValue | Operation):
        super().__init__(operands=[nbarrier])


@irdl_op_definition
class NbarrierArriveOp(_NbarrierOp):
    """Signals the other participants that this subgroup has arrived; does not wait.

    `xegpu.nbarrier_arrive %nb : !xegpu.nbarrier`
    """

    name = "xegpu.nbarrier_arrive"


@irdl_op_definition
class NbarrierWaitOp(_NbarrierOp):
    """Waits until all participants have arrived; the barrier then starts over.

    `xegpu.nbarrier_wait %nb : !xegpu.nbarrier`
    """

    name = "xegpu.nbarrier_wait"


_FENCE_FIELDS = {"scope": "fence_scope"}
"""Names of fields in the RFC that have other names since."""


@irdl_op_definition
class FenceOp(IRDLOperation):
    """Orders earlier accesses of one kind of memory before later ones, for all in the scope; no barrier.

    `xegpu.fence memory_kind = slm, fence_scope = workgroup`
    """

    name = "xegpu.fence"
    memory_kind = prop_def(MemorySpaceAttr)
    fence_scope = prop_def(FenceScopeAttr)

    @classmethod
    def parse(cls, parser: Parser) -> FenceOp:
        """Parses the operation; the RFC has a dictionary of strings, with `scope` and `shared`."""
        older = parser.parse_optional_attr_dict()
        if older:
            return cls._from_dictionary(parser, older)
        parser.parse_keyword("memory_kind")
        parser.parse_punctuation("=")
        kind = parser.parse_str_enum(MemorySpace)
        parser.parse_punctuation(",")
        parser.parse_keyword("fence_scope")
        parser.parse_punctuation("=")
        op = cls(kind, parser.parse_str_enum(FenceScope))
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    @classmethod
    def _from_dictionary(cls, parser: Parser, fields: dict[str, Attribute]) -> FenceOp:
        words = {
            _FENCE_FIELDS.get(key, key): value.data for key, value in fields.items() if isinstance(value, StringAttr)
        }
        kind, scope = words.get("memory_kind", ""), words.get("fence_scope", "")
        kind = "slm" if kind == "shared" else kind
        if len(words) != len(fields) or len(words) != 2 or kind not in set(MemorySpace) or scope not in set(FenceScope):
            parser.raise_error("expected memory_kind = global or slm, and fence_scope = workgroup or gpu")
        return cls(MemorySpace(kind), FenceScope(scope))

    def print(self, printer: Printer) -> None:
        printer.print_string(f" memory_kind = {self.memory_kind.data}, fence_scope = {self.fence_scope.data}")
        printer.print_op_attributes(self.attributes)

    def __init__(self, memory_kind: MemorySpace, fence_scope: FenceScope):
        super().__init__(
            properties={"memory_kind": MemorySpaceAttr(memory_kind), "fence_scope": FenceScopeAttr(fence_scope)}
        )


@irdl_op_definition
class CompileHintOp(IRDLOperation):
    """Keeps the scheduler from moving code across it; does nothing else.

    `xegpu.compile_hint`
    """

    name = "xegpu.compile_hint"
    assembly_format = "attr-dict"

    def __init__(self) -> None:
        super().__init__()
