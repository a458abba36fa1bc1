"""The error that a SPIR-V module may have."""

from __future__ import annotations


class SpirvError(Exception):
    """An error in a SPIR-V module: what is wrong, in which instruction, and at which word of the module."""

    def __init__(self, message: str, word: int = 0, instruction: str | None = None) -> None:
        super().__init__(message, word, instruction)
        self.message = message
        self.word = word
        self.instruction = instruction

    def __str__(self) -> str:
        where = f"word {self.word}: "
        return where + (f"{self.instruction}: {self.message}" if self.instruction else self.message)
