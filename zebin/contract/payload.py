"""The driver fills the cross-thread payload with this, by the types of its slots."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import NamedTuple

from zebin.ze_info.vocabulary import ArgType


class PayloadSource(Enum):
    """The origin of the contents of a slot."""

    ARGUMENT = auto()
    """The value that the application gives an argument."""
    OBJECT = auto()
    """A number that describes the memory, image or sampler that an argument is set to."""
    LAUNCH = auto()
    """The numbers of work-items and work-groups of a launch."""
    LAUNCH_MEMORY = auto()
    """The address of memory that exists for one launch."""
    MODULE = auto()
    """The address of variables or of a sampler that the binary brings along."""


class PayloadKind(NamedTuple):
    """A type of slots.

    Attributes:
        source: Where the contents come from; None: this driver supplies none.
        sizes: The bytes that a slot may have; empty if the argument decides.
        role: What the argument is that the slot belongs to: `value`, `pointer`, `image` or `sampler`; empty if the slot
            belongs to none, or does not tell.
    """

    source: PayloadSource | None
    sizes: tuple[int, ...] = ()
    role: str = ""


_NUMBER = (4,)
_VECTOR = (4, 8, 12)
_ADDRESS = (4, 8)

PAYLOAD: Mapping[str, PayloadKind] = {
    ArgType.ARG_BYVALUE: PayloadKind(PayloadSource.ARGUMENT, role="value"),
    ArgType.ARG_BYPOINTER: PayloadKind(PayloadSource.ARGUMENT),
    ArgType.BUFFER_ADDRESS: PayloadKind(PayloadSource.ARGUMENT, _ADDRESS, "pointer"),
    **dict.fromkeys(
        (
            ArgType.LOCAL_SIZE,
            ArgType.ENQUEUED_LOCAL_SIZE,
            ArgType.GROUP_COUNT,
            ArgType.GLOBAL_SIZE,
            ArgType.GLOBAL_ID_OFFSET,
        ),
        PayloadKind(PayloadSource.LAUNCH, _VECTOR),
    ),
    ArgType.WORK_DIMENSIONS: PayloadKind(PayloadSource.LAUNCH, _NUMBER),
    ArgType.BUFFER_OFFSET: PayloadKind(PayloadSource.OBJECT, _NUMBER, "pointer"),
    ArgType.BUFFER_SIZE: PayloadKind(None, (8,), "pointer"),
    **dict.fromkeys(
        (
            ArgType.IMAGE_WIDTH,
            ArgType.IMAGE_HEIGHT,
            ArgType.IMAGE_DEPTH,
            ArgType.IMAGE_ARRAY_SIZE,
            ArgType.IMAGE_NUM_MIP_LEVELS,
            ArgType.IMAGE_NUM_SAMPLES,
            ArgType.IMAGE_CHANNEL_DATA_TYPE,
            ArgType.IMAGE_CHANNEL_ORDER,
        ),
        PayloadKind(PayloadSource.OBJECT, role="image"),
    ),
    **dict.fromkeys(
        (ArgType.SAMPLER_ADDRESS, ArgType.SAMPLER_NORMALIZED, ArgType.SAMPLER_SNAP_WA),
        PayloadKind(PayloadSource.OBJECT, role="sampler"),
    ),
    **dict.fromkeys(
        (
            ArgType.PRIVATE_BASE_STATELESS,
            ArgType.PRINTF_BUFFER,
            ArgType.ASSERT_BUFFER,
            ArgType.IMPLICIT_ARG_BUFFER,
            ArgType.SYNC_BUFFER,
        ),
        PayloadKind(PayloadSource.LAUNCH_MEMORY, _ADDRESS),
    ),
    **dict.fromkeys(
        (ArgType.CONST_BASE, ArgType.GLOBAL_BASE, ArgType.INLINE_SAMPLER), PayloadKind(PayloadSource.MODULE)
    ),
    **dict.fromkeys(
        (
            ArgType.RT_GLOBAL_BUFFER,
            ArgType.REGION_GROUP_BARRIER_BUFFER,
            ArgType.INDIRECT_DATA_POINTER,
            ArgType.SCRATCH_POINTER,
        ),
        PayloadKind(None, _ADDRESS),
    ),
    ArgType.REGION_GROUP_DIMENSION: PayloadKind(None, _NUMBER),
    **dict.fromkeys((ArgType.REGION_GROUP_SIZE, ArgType.REGION_GROUP_WG_COUNT), PayloadKind(None)),
    **dict.fromkeys(
        (
            ArgType.IMAGE_SRGB_CHANNEL_ORDER,
            ArgType.FLAT_IMAGE_BASEOFFSET,
            ArgType.FLAT_IMAGE_HEIGHT,
            ArgType.FLAT_IMAGE_WIDTH,
            ArgType.FLAT_IMAGE_PITCH,
        ),
        PayloadKind(None, role="image"),
    ),
}
