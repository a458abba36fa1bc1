"""Listings: the instructions of a kernel with labels, and the source locations that they come from."""

from __future__ import annotations

from runtime.simulator import Executable
from xegpu.isa.code import SourcePlace
from xegpu.isa.text import format_labelled, label_names


class KernelListing:
    """The instructions of a kernel by index: text, label, source location."""

    def __init__(self, executable: Executable):
        self.program = executable.program
        self.name = executable.description.name
        self.labels = label_names(self.program)
        self.indices = {label: index for index, label in self.labels.items()}
        """The instruction at each label."""
        self._lines = executable.description.lines
        self._texts: dict[int, str] = {}

    @property
    def has_source(self) -> bool:
        """Returns whether any instruction has a source location."""
        return self._lines.is_known

    def text(self, index: int) -> str:
        """Returns the instruction, with labels for its branch targets."""
        if index not in self._texts:
            self._texts[index] = format_labelled(self.program, index, self.labels)
        return self._texts[index]

    def location(self, index: int) -> SourcePlace | None:
        """Returns the source location of an instruction."""
        return self._lines.at(self.program.offsets[index])

    def lines(self, first: int, last: int, marks: dict[int, str]) -> list[str]:
        """Returns instructions `first` to `last`, with labels between them, each after its mark in `marks`."""
        width = max(map(len, marks.values()), default=0)
        found = []
        for index in range(max(first, 0), min(last + 1, len(self.program.instructions))):
            if index in self.labels:
                found.append(f"{'':{width}} {self.labels[index]}:")
            found.append(
                f"{marks.get(index, ''):{width}} #{index:<4} {self.program.offsets[index]:#06x}  {self.text(index)}"
            )
        return found
