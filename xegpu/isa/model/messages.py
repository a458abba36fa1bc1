"""Messages: the operands of a `send`, as named fields instead of packed descriptors."""

from __future__ import annotations

from enum import Enum

from xegpu.on_demand import dataclass


class Unit(Enum):
    """The shared function that a message goes to: (name, SFID)."""

    SAMPLER = ("smpl", 2)
    GATEWAY = ("gtwy", 3)
    TYPED = ("tgm", 13)
    SLM = ("slm", 14)
    UGM = ("ugm", 15)

    def __init__(self, text: str, code: int):
        self.text = text
        self.code = code


class DataSize(Enum):
    """Size of one element in memory and in a register: (name, code, bytes in memory, bytes in a register)."""

    D8 = ("d8", 0, 1, 1)
    D16 = ("d16", 1, 2, 2)
    D32 = ("d32", 2, 4, 4)
    D64 = ("d64", 3, 8, 8)
    D8U32 = ("d8u32", 4, 1, 4)
    D16U32 = ("d16u32", 5, 2, 4)

    def __init__(self, text: str, code: int, memory_bytes: int, register_bytes: int):
        self.text = text
        self.code = code
        self.memory_bytes = memory_bytes
        self.register_bytes = register_bytes


class AddressSize(Enum):
    """Width of an address in the payload: (name, code, bytes)."""

    A32 = ("a32", 2, 4)
    A64 = ("a64", 3, 8)

    def __init__(self, text: str, code: int, size: int):
        self.text = text
        self.code = code
        self.size = size


class AddressModel(Enum):
    """The base of addresses: (name, code). `ss` is the scratch space of the thread."""

    FLAT = ("flat", 0)
    SCRATCH = ("ss", 2)

    def __init__(self, text: str, code: int):
        self.text = text
        self.code = code


class Flush(Enum):
    """The effect of a fence on the L1 cache: (name, code). All fences wait until earlier accesses are visible."""

    NONE = ("none", 0)
    EVICT = ("evict", 1)
    INVALIDATE = ("invalidate", 2)
    DISCARD = ("discard", 3)
    CLEAN = ("clean", 4)
    FLUSH_L3 = ("flushl3", 5)

    def __init__(self, text: str, code: int):
        self.text = text
        self.code = code


class MemoryScope(Enum):
    """The threads to which accesses before a fence become visible: (name, code)."""

    GROUP = ("group", 0)
    LOCAL = ("local", 1)
    TILE = ("tile", 2)
    GPU = ("gpu", 3)
    GPUS = ("gpus", 4)
    SYSTEM_RELEASE = ("system_rel", 5)
    SYSTEM_ACQUIRE = ("system_acq", 6)

    def __init__(self, text: str, code: int):
        self.text = text
        self.code = code


@dataclass(frozen=True, slots=True)
class FenceFields:
    """The fields of a fence: the unit of the memory, the effect on its cache, and the scope."""

    unit: Unit
    flush: Flush = Flush.NONE
    scope: MemoryScope = MemoryScope.GROUP


class CacheControl(Enum):
    """L1 and L3 policy of a message: (load name, store name, code).

    `df` default, `uc` uncached, `ca` cached, `st` streaming, `ri` read-invalidate, `wb` write-back, `wt` write-through.
    """

    DEFAULT = ("df.df", "df.df", 0)
    UC_UC = ("uc.uc", "uc.uc", 1)
    UC_CA = ("uc.ca", "uc.wb", 2)
    CA_UC = ("ca.uc", "wt.uc", 3)
    CA_CA = ("ca.ca", "wt.wb", 4)
    ST_UC = ("st.uc", "st.uc", 5)
    ST_CA = ("st.ca", "st.wb", 6)
    RI_CA = ("ri.ca", "wb.wb", 7)

    def __init__(self, load_text: str, store_text: str, code: int):
        self.load_text = load_text
        self.store_text = store_text
        self.code = code

    @property
    def is_streaming(self) -> bool:
        """Returns whether data is used once, so that caches should not keep it."""
        return self in (CacheControl.ST_UC, CacheControl.ST_CA)


_ALL = frozenset(CacheControl)
CACHE_CONTROLS = {
    "load": _ALL,
    "store": _ALL,
    "prefetch": _ALL - {CacheControl.UC_UC, CacheControl.RI_CA},
    "atomic": frozenset({CacheControl.DEFAULT, CacheControl.UC_UC, CacheControl.UC_CA}),
}
"""The cache controls that a message may have, by the value of its `MemoryAccessKind`."""

VECTOR_SIZES = (1, 2, 3, 4, 8, 16, 32, 64)
"""Elements per address; the index is the code in the encoding."""

ARRAY_LENGTHS = (1, 2, 4)
"""Blocks per block-2D message; the index is the code in the encoding."""


@dataclass(frozen=True, slots=True)
class BlockShape:
    """Shape of a block-2D message: `count` blocks of `height` rows and `width` elements."""

    width: int
    height: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class Message:
    """The fields of a message, besides its registers.

    `vector` elements follow each address. `transposed` makes a SIMD1 block message (or a transposing block-2D one);
    `vnni` packs rows into dwords. `offset` is added to each address, in bytes. `block` is present on block-2D messages.
    The address of an element that is not `aligned` may be any; otherwise it is a multiple of the element's size.
    """

    unit: Unit
    data_size: DataSize
    vector: int = 1
    transposed: bool = False
    vnni: bool = False
    cache: CacheControl = CacheControl.DEFAULT
    address_size: AddressSize = AddressSize.A64
    model: AddressModel = AddressModel.FLAT
    offset: int = 0
    block: BlockShape | None = None
    aligned: bool = True

    @property
    def alignment(self) -> int:
        """The bytes that addresses are a multiple of."""
        return self.data_size.memory_bytes if self.aligned else 1


def ceil2(value: int) -> int:
    """Returns the smallest power of two that is at least `value`."""
    return 1 << (value - 1).bit_length()


def vnni_rows(element_bytes: int) -> int:
    """Returns the rows of a VNNI block that share a dword."""
    return max(1, 4 // element_bytes)


def block_element_offset(message: Message, grf_bytes: int, block: int, row: int, column: int) -> int:
    """Returns the offset in bytes, from the start of the data registers, of one element of a block-2D message."""
    return block * block_bytes(message, grf_bytes) + offset_in_block(message, row, column)


def offset_in_block(message: Message, row: int, column: int) -> int:
    """Returns the offset in bytes of one element from the start of its block.

    Rows are padded to a power of two of elements and blocks to whole registers. With `transposed`, rows and
    columns are exchanged; with `vnni`, the elements of rows that share a dword are adjacent.
    """
    shape = message.block
    if shape is None:
        raise ValueError("not a block-2D message")
    size = message.data_size.memory_bytes
    if message.transposed:
        return (column * ceil2(shape.height) + row) * size
    if message.vnni:
        rows = vnni_rows(size)
        return ((row // rows) * rows * ceil2(shape.width) + column * rows + row % rows) * size
    return (row * ceil2(shape.width) + column) * size


def block_bytes(message: Message, grf_bytes: int) -> int:
    """Returns the register bytes of one block of a block-2D message, padding included."""
    shape = message.block
    if shape is None:
        raise ValueError("not a block-2D message")
    size = message.data_size.memory_bytes
    if message.transposed:
        used = ceil2(shape.height) * shape.width * size
    elif message.vnni:
        rows = vnni_rows(size)
        used = ceil2(shape.width) * -(-shape.height // rows) * rows * size
    else:
        used = ceil2(shape.width) * shape.height * size
    return -(-used // grf_bytes) * grf_bytes


def data_bytes(message: Message, exec_size: int, grf_bytes: int, min_lanes: int) -> int:
    """Returns the register bytes of the data of a load or store: whole registers, block-major for gathers.

    `min_lanes` is the number of channels that smaller blocks of a gather are padded to (16 on PVC, 8 on ARC).
    """
    if message.block is not None:
        return message.block.count * block_bytes(message, grf_bytes)
    if message.transposed:
        used = message.vector * message.data_size.register_bytes
        return -(-used // grf_bytes) * grf_bytes
    return message.vector * _vector_bytes(message, exec_size, grf_bytes, min_lanes)


def _vector_bytes(message: Message, exec_size: int, grf_bytes: int, min_lanes: int) -> int:
    """Returns the register bytes of one element of all channels of a gather."""
    return -(-max(exec_size, min_lanes) * message.data_size.register_bytes // grf_bytes) * grf_bytes


def touched_bytes(message: Message, exec_size: int, grf_bytes: int, min_lanes: int, operands: int = 1) -> int:
    """Returns the bytes from the start of the data of a message to its last element, over all operands of an atomic."""
    element = message.data_size.register_bytes
    if message.block is not None:
        return data_bytes(message, exec_size, grf_bytes, min_lanes)
    if message.transposed:
        return message.vector * element
    before = _vector_bytes(message, exec_size, grf_bytes, min_lanes) * (operands * message.vector - 1)
    return before + exec_size * element
