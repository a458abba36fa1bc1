"""Settings of a card, which all processes see.

The file has two banks and the number of the latest change, whose lowest bit says which bank is valid. A change writes
the other bank and then the number, in one store: whoever is killed in between has changed nothing, and who reads
meanwhile reads what was valid before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from runtime.card.counters import Words
from runtime.card.locking import FileLock

SettingValue = float | str | list[float]

BANK_BYTES = 32 << 10

_LENGTH_BYTES = 8


class CardSettings:
    """The settings by their names; those that nobody has set are not there.

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
                length = int.from_bytes(data[:_LENGTH_BYTES], "little")
                values: dict[str, SettingValue] = json.loads(data[_LENGTH_BYTES : _LENGTH_BYTES + length] or b"{}")
                self._latest = (version, values)
                return values

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
            if len(data) > BANK_BYTES - _LENGTH_BYTES:
                raise OverflowError(f"settings take {len(data)} bytes, there are {BANK_BYTES - _LENGTH_BYTES}")
            version = self.version + 1
            start = version % 2 * BANK_BYTES
            self._banks[start : start + _LENGTH_BYTES] = len(data).to_bytes(_LENGTH_BYTES, "little")
            self._banks[start + _LENGTH_BYTES :][: len(data)] = data
            self._generation[0] = version

    def set(self, **values: SettingValue) -> None:
        """Sets some settings together."""
        self.change(lambda found: found.update(values))
