"""The handler of each instruction format: it decodes an instruction to the step that executes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from runtime.simulator.interpreter.alu.dpas import decode_dpas
from runtime.simulator.interpreter.alu.instructions import decode_alu
from runtime.simulator.interpreter.control import (
    decode_barrier,
    decode_branch,
    decode_call,
    decode_fence,
    decode_goto,
    decode_join,
    decode_plain,
    decode_return,
)
from runtime.simulator.interpreter.messages.images import decode_image
from runtime.simulator.interpreter.messages.loads_stores import decode_message
from runtime.simulator.interpreter.threads.step import Step
from runtime.simulator.interpreter.threads.thread import Thread
from xegpu.isa import Instruction, InstructionFormat, Program

Handler = Callable[[Instruction, Thread, Program, int], Step]
"""Takes an instruction, the thread that executes it, the program that it is in, and its index there."""


def _of_instruction(decode: Callable[[Instruction, Thread], Step]) -> Handler:
    """Returns the handler of instructions that need nothing of the program around them."""
    return lambda instruction, thread, program, index: decode(instruction, thread)


HANDLERS: Mapping[InstructionFormat, Handler] = {
    InstructionFormat.ALU: _of_instruction(decode_alu),
    InstructionFormat.DPAS: _of_instruction(decode_dpas),
    InstructionFormat.MESSAGE: _of_instruction(decode_message),
    InstructionFormat.IMAGE: _of_instruction(decode_image),
    InstructionFormat.FENCE: _of_instruction(decode_fence),
    InstructionFormat.BARRIER: _of_instruction(decode_barrier),
    InstructionFormat.BRANCH: decode_branch,
    InstructionFormat.GOTO: decode_goto,
    InstructionFormat.JOIN: decode_join,
    InstructionFormat.CALL: decode_call,
    InstructionFormat.INDIRECT_CALL: decode_call,
    InstructionFormat.RETURN: decode_return,
    InstructionFormat.PLAIN: _of_instruction(decode_plain),
}
