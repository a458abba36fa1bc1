"""`.strtab`: the names of sections and symbols (ELF gABI, chapter 4, "String Table")."""

from __future__ import annotations

from zebin.elf.model import Buffer
from zebin.errors import excerpt


class BadNameError(ValueError):
    """Raised for a name that cannot be used. `code` completes a finding's code; `text` is the readable part of the
    name.
    """

    def __init__(self, code: str, message: str, text: str = ""):
        super().__init__(message)
        self.code, self.text = code, text


class StringTable:
    """Looks up names; each is decoded once.

    Names may share suffixes, so that a small table can contain a huge total of names; the total is limited, and with it
    the time to find their ends.
    """

    def __init__(self, data: Buffer):
        self._data = bytes(data)
        self._names: dict[int, str] = {}
        self._allowance = 16 * len(self._data)

    def name(self, offset: int) -> str:
        """Returns the name at `offset`.

        Raises:
            BadNameError: If the name cannot be used.
        """
        known = self._names.get(offset)
        if known is not None:
            return known
        if offset >= len(self._data):
            message = f"name offset {offset:#x} lies past the string table of {len(self._data):#x} bytes"
            raise BadNameError("name-bounds", message)
        # The search itself takes as long as the name, so it ends where the allowance does.
        limit = min(len(self._data), offset + self._allowance + 1)
        end = self._data.find(0, offset, limit)
        if end < 0 and limit < len(self._data):
            self._allowance = 0
            raise BadNameError("name-limit", "names in the string table overlap too often")
        end = len(self._data) if end < 0 else end
        self._allowance = max(self._allowance - (end - offset), 0)
        encoded = self._data[offset:end]
        try:
            name = encoded.decode()
        except UnicodeDecodeError:
            text = encoded.decode(errors="backslashreplace")
            raise BadNameError("name-encoding", f"name is not UTF-8: {excerpt(encoded)}", text) from None
        self._names[offset] = name
        return name


class StringTableBuilder:
    """Lays out names in the order of first use, each once."""

    def __init__(self) -> None:
        self._data = bytearray(b"\0")
        self._offsets = {"": 0}

    def offset(self, name: str) -> int:
        """Returns the offset of `name`, which is added if it is new."""
        if name not in self._offsets:
            self._offsets[name] = len(self._data)
            self._data += name.encode() + b"\0"
        return self._offsets[name]

    def data(self) -> bytes:
        return bytes(self._data)
