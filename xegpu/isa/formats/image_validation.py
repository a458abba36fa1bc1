"""Rules that messages to images must keep on a target."""

from __future__ import annotations

from xegpu.isa.model.image_messages import (
    CHANNELS,
    COORDINATES,
    ELEMENT_BYTES,
    ImageMessage,
    block_bytes,
)
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.messages import CACHE_CONTROLS, CacheControl, Unit
from xegpu.isa.model.operands import Register, RegisterFile
from xegpu.isa.model.rules import aligned, fail, in_file
from xegpu.isa.model.table import SAMPLER_OPCODE, OpSpec
from xegpu.targets import Target

HANDLE_BYTES = 8
"""Of the address of a surface or sampler state."""

_COORDINATES = {"sample_lz": (1, 2, 3), "sample_l": (4,)}
"""Instructions that do not take any number of coordinates."""


def image_unit(spec: OpSpec) -> Unit:
    """The shared function that an image message goes to."""
    return Unit.SAMPLER if spec.opcode == SAMPLER_OPCODE else Unit.TYPED


def coordinate_counts(spec: OpSpec) -> tuple[int, ...]:
    """Numbers of coordinates that an image message may carry."""
    return _COORDINATES.get(spec.mnemonic, tuple(range(1, len(COORDINATES) + 1)))


def check_image_form(instruction: Instruction) -> None:
    """Raises `IllegalInstruction` unless an image message has the fields and registers that its row asks for."""
    spec, image = instruction.spec, instruction.image
    if image is None or instruction.address is None or instruction.surface is None:
        fail(instruction, "needs message fields, a surface and coordinates")
    for what, register, expected in (
        ("data", instruction.data, spec.sources > 0),
        ("register to return to", instruction.returned, not spec.sources),
        ("sampler", instruction.sampler, spec.sampler),
    ):
        if (register is not None) != expected:
            fail(instruction, f"needs a {what}" if expected else f"takes no {what}")
    for register in (instruction.address, instruction.data, instruction.returned):
        if register is not None and (register.byte or register.file is not RegisterFile.GRF):
            fail(instruction, "registers of a message are whole general registers")
    for register in (instruction.surface, instruction.sampler):
        if register is not None and register.file is not RegisterFile.GRF:
            fail(instruction, "a handle is a qword of a general register")
    if not 0 < image.channels < 1 << len(CHANNELS):
        fail(instruction, f"channel mask {image.channels:#x}, expected at least one of {CHANNELS}")
    _check_fields(instruction, image)


def _check_fields(instruction: Instruction, image: ImageMessage) -> None:
    spec = instruction.spec
    counts = coordinate_counts(spec)
    if image.coordinates not in counts:
        wanted = " or ".join(COORDINATES[count - 1] for count in counts)
        fail(instruction, f"{image.coordinates} coordinates, expected {wanted}")
    if image.unit is not image_unit(spec):
        fail(instruction, f"is a message to {image_unit(spec).text}, not {image.unit.text}")
    assert spec.access is not None
    cached = image.unit is not Unit.SAMPLER
    if image.cache is not CacheControl.DEFAULT and not (cached and image.cache in CACHE_CONTROLS[spec.access.value]):
        fail(instruction, "no such cache control for this message")


def check_image(instruction: Instruction, target: Target, grf_count: int) -> None:
    """Raises `IllegalInstruction` unless the target has the message; its form is right."""
    if not target.has_images:
        fail(instruction, f"{target.name} has no images")
    image, size = instruction.image, instruction.exec_size
    assert image is not None
    block = block_bytes(size, target.grf_bytes, target.physical_simd_width)
    used = len(image.components) * block
    if used > target.max_message_bytes:
        fail(instruction, f"{used} bytes of data, a message carries up to {target.max_message_bytes}")
    places: tuple[tuple[Register | None, int], ...] = (
        (instruction.address, image.coordinates * block),
        (instruction.data, used),
        (instruction.returned, used),
        (instruction.surface, HANDLE_BYTES),
        (instruction.sampler, HANDLE_BYTES),
    )
    for register, span in places:
        if register is not None:
            in_file(instruction, register, span, target, grf_count)
            aligned(instruction, register, min(span, HANDLE_BYTES))


def image_register_counts(instruction: Instruction, grf_bytes: int) -> tuple[int, int, int]:
    """Number of registers of what an image message returns, of its coordinates, and of its data."""
    image = instruction.image
    assert image is not None
    block = block_bytes(instruction.exec_size, grf_bytes, grf_bytes // ELEMENT_BYTES) // grf_bytes
    components = len(image.components) * block
    stores = instruction.spec.sources > 0
    return 0 if stores else components, image.coordinates * block, components if stores else 0
