"""Memory traffic of messages: the bytes that they move, and the memory that they move them to or from."""

from __future__ import annotations

from enum import Enum

from xegpu.isa.model.image_messages import ELEMENT_BYTES
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.messages import AddressModel, CacheControl, Unit
from xegpu.isa.model.table import MemoryAccessKind
from xegpu.on_demand import dataclass


class TrafficSpace(Enum):
    """The memory that a message goes to."""

    GLOBAL = "global"
    SLM = "slm"
    SCRATCH = "scratch"
    IMAGE = "image"


@dataclass(frozen=True, slots=True)
class Traffic:
    """Bytes of memory that a message touches: `channel_bytes` for each enabled one of its `channels`.

    Block messages have one channel.
    """

    space: TrafficSpace
    access: MemoryAccessKind
    cache: CacheControl
    channels: int
    channel_bytes: int

    @property
    def bytes(self) -> int:
        """Bytes with all channels on."""
        return self.channels * self.channel_bytes

    @property
    def loads(self) -> bool:
        return self.access in (MemoryAccessKind.LOAD, MemoryAccessKind.ATOMIC)

    @property
    def stores(self) -> bool:
        return self.access in (MemoryAccessKind.STORE, MemoryAccessKind.ATOMIC)


def traffic(instruction: Instruction) -> Traffic | None:
    """Returns the traffic of a message; None for other instructions.

    Elements of a block outside of its surface count as well, and components of texels as the dwords that they become.
    """
    message, access, image = instruction.message, instruction.spec.access, instruction.image
    if image is not None and access is not None:
        size = len(image.components) * ELEMENT_BYTES
        return Traffic(TrafficSpace.IMAGE, access, image.cache, instruction.exec_size, size)
    if message is None or access is None:
        return None
    if message.unit is Unit.SLM:
        space = TrafficSpace.SLM
    else:
        space = TrafficSpace.SCRATCH if message.model is AddressModel.SCRATCH else TrafficSpace.GLOBAL
    element, block = message.data_size.memory_bytes, message.block
    if block is not None:
        return Traffic(space, access, message.cache, 1, block.width * block.height * block.count * element)
    channels = 1 if message.transposed else instruction.exec_size
    return Traffic(space, access, message.cache, channels, message.vector * element)
