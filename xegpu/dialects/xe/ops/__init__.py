"""Operations of the `xe` dialect: one per row of the instruction table, and a few that hold a kernel together.

Before allocation registers are SSA values. An instruction that writes a part of a register, or updates it in place,
takes the previous value as its `into` operand: the result occupies the same bytes.
"""

from xegpu.dialects.xe.ops.alu import AluOp
from xegpu.dialects.xe.ops.base import EXEC_SIZES, InstructionOp, has_operand
from xegpu.dialects.xe.ops.dpas import DpasOp
from xegpu.dialects.xe.ops.image import ImageOp
from xegpu.dialects.xe.ops.message import MessageOp
from xegpu.dialects.xe.ops.synchronization import BarrierOp, FenceOp
from xegpu.dialects.xe.ops.table import INSTRUCTIONS, alu_op, barrier_op, dpas_op, fence_op, image_op, message_op

__all__ = [
    "EXEC_SIZES",
    "INSTRUCTIONS",
    "AluOp",
    "BarrierOp",
    "DpasOp",
    "FenceOp",
    "ImageOp",
    "InstructionOp",
    "MessageOp",
    "alu_op",
    "barrier_op",
    "dpas_op",
    "fence_op",
    "has_operand",
    "image_op",
    "message_op",
]
