"""The code of a kernel as people read it: instructions with labels, and the source that they come from."""

from __future__ import annotations

from runtime.simulator import Executable
from xegpu.isa.code import SourcePlace
from xegpu.isa.text import format_labelled, label_names


class KernelListing:
    """The instructions of a kernel by index: text, label, source place."""

    def __init__(self, executable: Executable):
        self.program = executable.program
        self.name = executable.description.name
        self.labels = label_names(self.program)
        self.indices = {label: index for index, label in self.labels.items()}
        """Instruction that each label stands before."""
        self._lines = executable.description.lines
        self._texts: dict[int, str] = {}

    @property
    def has_source(self) -> bool:
        """Whether any instruction comes from a known place."""
        return self._lines.is_known

    def text(self, index: int) -> str:
        """The instruction, with labels for the places that it goes to."""
        if index not in self._texts:
            self._texts[index] = format_labelled(self.program, index, self.labels)
        return self._texts[index]

    def place(self, index: int) -> SourcePlace | None:
        """Where the instruction comes from."""
        return self._lines.at(self.program.offsets[index])

    def lines(self, first: int, last: int, marks: dict[int, str]) -> list[str]:
        """Instructions number `first` to `last`, labels between them, each behind its mark in `marks`."""
        width = max(map(len, marks.values()), default=0)
        found = []
        for index in range(max(first, 0), min(last + 1, len(self.program.instructions))):
            if index in self.labels:
                found.append(f"{'':{width}} {self.labels[index]}:")
            found.append(
                f"{marks.get(index, ''):{width}} #{index:<4} {self.program.offsets[index]:#06x}  {self.text(index)}"
            )
        return found
