"""Settings of a card, which all processes see.

The file has two banks and the number of the latest change, whose lowest bit says which bank is valid. A change writes
the other bank and then the number, in one store: whoever is killed in between has changed nothing, and who reads
meanwhile reads what was valid before.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from zlib import crc32

from runtime.card.card_file import keep_to_itself
from runtime.card.counters import Words
from runtime.card.locking import FileLock

SettingValue = float | str | list[float]

BANK_BYTES = 32 << 10

_HEAD = struct.Struct("<QQ")
"""Before the data of a bank: their length and their check sum."""

_MOST = BANK_BYTES - _HEAD.size


_GENERATIONS = 1 << 62


class CardSettings:
    """The settings by their names; those that nobody has set are not there.

    A bank that something else has written to counts for nothing: the settings stay what this process knows of them
    until the next change, which replaces them.

    Args:
        generation: The word that has the number of the latest change.
        banks: The bytes of the two banks.
        lock: The lock of the file.
    """

    def __init__(self, generation: Words, banks: memoryview, lock: FileLock) -> None:
        self._generation = generation
        self._banks = banks
        self._lock = lock
        self._latest: tuple[int, Mapping[str, SettingValue]] = (0, {})

    @property
    def version(self) -> int:
        """The number of the latest change."""
        number: int = self._generation[0]
        return number

    def read(self) -> Mapping[str, SettingValue]:
        """Returns all settings, of one moment."""
        while True:
            version = self.version
            known, latest = self._latest
            if known == version:
                return latest
            data = bytes(self._banks[version % 2 * BANK_BYTES :][:BANK_BYTES])
            if self.version == version:
                if (values := _values(data)) is not None:
                    latest = values
                else:
                    keep_to_itself("the file of the card is damaged where its settings are; changing one mends it")
                self._latest = (version, latest)
                return latest

    def number(self, name: str, default: float) -> float:
        """Returns a setting that is a number."""
        value = self.read().get(name, default)
        return value if isinstance(value, int | float) else default

    def numbers(self, name: str, default: list[float]) -> list[float]:
        """Returns a setting that consists of several numbers."""
        value = self.read().get(name, default)
        return value if isinstance(value, list) else default

    def text(self, name: str, default: str) -> str:
        """Returns a setting that is a text."""
        value = self.read().get(name, default)
        return value if isinstance(value, str) else default

    def change(self, edit: Callable[[dict[str, SettingValue]], None]) -> None:
        """Changes settings: `edit` gets all of them as they are, while no one else can change any.

        What `edit` raises changes nothing.

        Raises:
            CardBusy: Another process holds the lock.
            OverflowError: There is no room for so many settings.
        """
        with self._lock.held():
            values = dict(self.read())
            edit(values)
            data = json.dumps(values).encode()
            if len(data) > _MOST:
                raise OverflowError(f"settings take {len(data)} bytes, there are {_MOST}")
            version = (self.version + 1) % _GENERATIONS
            bank = self._banks[version % 2 * BANK_BYTES :][:BANK_BYTES]
            _HEAD.pack_into(bank, 0, len(data), crc32(data))
            bank[_HEAD.size :][: len(data)] = data
            self._generation[0] = version

    def set(self, **values: SettingValue) -> None:
        """Sets some settings together."""
        self.change(lambda found: found.update(values))


def _values(bank: bytes) -> dict[str, SettingValue] | None:
    """Returns the settings in a bank, which nobody has written to if it begins with zeros; None if it is damaged."""
    length, check = _HEAD.unpack_from(bank)
    if not length and not check:
        return {}
    data = bank[_HEAD.size :][:length]
    if len(data) != length or crc32(data) != check:
        return None
    values: dict[str, SettingValue] = json.loads(data)
    return values
