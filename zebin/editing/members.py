"""Fat binaries: another ZEBIN in place of one of the members."""

from __future__ import annotations

from zebin.archive import ArchiveMember
from zebin.editing.errors import EditError
from zebin.elf.model import Buffer

_STEP = 8
"""Members behind move by multiples of this, so that they stay aligned as they were."""

_SIZE_FIELD, _SIZE_DIGITS = 12, 10
"""Where the size stands before the data of a member, and in how many digits."""


def replace_member(archive: Buffer, member: ArchiveMember, data: bytes) -> bytes:
    """The archive with other contents of a member, to which a few zeros are added; all other members stay as they are.

    Raises `EditError` when the contents are too large for an archive.
    """
    padded = data + bytes((len(member.data) - len(data)) % _STEP)
    digits = str(len(padded)).encode()
    if len(digits) > _SIZE_DIGITS:
        raise EditError(f"{len(padded)} bytes are too many for a member of an archive")
    size_at = member.offset - _SIZE_FIELD
    return b"".join(
        (
            archive[:size_at],
            digits.ljust(_SIZE_DIGITS),
            archive[size_at + _SIZE_DIGITS : member.offset],
            padded,
            archive[member.offset + len(member.data) :],
        )
    )
