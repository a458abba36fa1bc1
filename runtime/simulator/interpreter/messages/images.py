"""Image messages in the interpreter: between registers and `access_image`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.interpreter.threads.step import Step
from runtime.simulator.interpreter.threads.thread import Thread
from runtime.simulator.interpreter.threads.values import lane_array
from runtime.simulator.machine.images.access import ROWS, access_image
from xegpu.isa import Instruction, Register
from xegpu.isa.formats import Span, image_spans


def decode_image(instruction: Instruction, thread: Thread) -> Step:
    """Returns the step that performs an image message."""
    image, lanes = instruction.image, instruction.exec_size
    assert image is not None
    assert instruction.surface is not None
    surface_handle = _handle(thread, instruction.surface)
    sampler_handle = None if instruction.sampler is None else _handle(thread, instruction.sampler)
    coordinates, data, returned = (
        [_words(thread, span) for span in spans] for spans in image_spans(instruction, thread.target)
    )

    def step() -> None:
        on = np.flatnonzero(lane_array(thread.enabled(instruction, lanes), lanes))
        if not len(on):
            return
        given, components = (np.zeros((ROWS, len(on)), np.uint32) for _ in range(2))
        for number, words in enumerate(coordinates):
            given[number] = words[on]
        for number, words in zip(image.components, data, strict=False):
            components[number] = words[on]
        sampler = None if sampler_handle is None else int(sampler_handle[0])
        access_image(instruction, thread.memory.table, int(surface_handle[0]), sampler, given, components)
        for number, words in zip(image.components, returned, strict=False):
            words[on] = components[number]

    return step


def _handle(thread: Thread, register: Register) -> NDArray[np.uint64]:
    start = thread.byte(register)
    return thread.registers[start : start + 8].view(np.uint64)


def _words(thread: Thread, span: Span) -> NDArray[np.uint32]:
    return thread.registers[span.start : span.end].view(np.uint32)
