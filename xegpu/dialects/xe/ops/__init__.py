"""Operations of the `xe` dialect: one per row of the instruction table, and a few that hold a kernel together.

Before allocation registers are SSA values. An instruction that writes a part of a register, or updates it in place,
takes the previous value as its `into` operand: the result occupies the same bytes.
"""

from xegpu.dialects.xe.ops.alu import AluOp as AluOp
from xegpu.dialects.xe.ops.base import (
    EXEC_SIZES as EXEC_SIZES,
    InstructionOp as InstructionOp,
    has_operand as has_operand,
)
from xegpu.dialects.xe.ops.dpas import DpasOp as DpasOp
from xegpu.dialects.xe.ops.image import ImageOp as ImageOp
from xegpu.dialects.xe.ops.message import MessageOp as MessageOp
from xegpu.dialects.xe.ops.synchronization import BarrierOp as BarrierOp, FenceOp as FenceOp
from xegpu.dialects.xe.ops.table import (
    INSTRUCTIONS as INSTRUCTIONS,
    alu_op as alu_op,
    barrier_op as barrier_op,
    dpas_op as dpas_op,
    fence_op as fence_op,
    image_op as image_op,
    message_op as message_op,
)
