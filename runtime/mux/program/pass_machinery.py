"""The passes over a module in LLVM IR: LLVM's own and those that users register (specification: `PassMachinery`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from passes.frontends.ir import PASSES, check, run_passes
from runtime.mux.results import MuxError, Result

IrPass = Callable[[str], str]
"""A pass of a user: a function from a module's text to its new text."""
PassObserver = Callable[[str, str], None]
"""Takes the name of a pass and the module's text before or after it."""


class PassMachinery:
    """Passes by name, and the pipeline that a step of a module runs.

    A subclass of a module extends it: `machinery.register_pass("my-pass", function)` and
    `machinery.pipeline.append("my-pass")`.

    Attributes:
        pipeline: The names of passes in their order.
        before: Functions that are shown the module before each pass.
        after: Functions that are shown the module after each pass.
    """

    def __init__(self) -> None:
        self.pipeline: list[str] = []
        self.before: list[PassObserver] = []
        self.after: list[PassObserver] = []
        self._registered: dict[str, IrPass] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all passes."""
        return (*self._registered, *PASSES)

    def register_pass(self, name: str, function: IrPass) -> None:
        """Makes a function known as a pass.

        Raises:
            MuxError: `INVALID_VALUE` if there is a pass of that name, or if pipelines could not name it.
        """
        if name in self.names:
            raise MuxError(Result.INVALID_VALUE, f"there is a pass '{name}' already")
        if not name or any(letter in ",() " for letter in name):
            raise MuxError(Result.INVALID_VALUE, f"'{name}' is no name of a pass")
        self._registered[name] = function

    def parse_pass_pipeline(self, text: str) -> tuple[str, ...]:
        """Returns the passes that a text lists, as `opt -passes=` takes it: `sroa,instcombine`.

        Raises:
            MuxError: `INVALID_VALUE` with the first pass that there is not.
        """
        names = tuple(name.strip() for name in text.split(",")) if text.strip() else ()
        self._known(names)
        return names

    def run(self, text: str, pipeline: Iterable[str] | None = None) -> str:
        """Runs passes on a module and returns the result; by default, those of `pipeline`.

        Raises:
            MuxError: `INVALID_VALUE` for a pass that there is not.
            IrError: The module, or what a pass made of it, is not valid.
        """
        names = tuple(self.pipeline if pipeline is None else pipeline)
        self._known(names)
        for group in self._groups(names):
            for observer in self.before:
                observer(",".join(group), text)
            if group[0] in self._registered:
                text = self._registered[group[0]](text)
                check(text)
            else:
                text = run_passes(text, group)
            for observer in self.after:
                observer(",".join(group), text)
        return text

    def _known(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.names:
                raise MuxError(Result.INVALID_VALUE, f"there is no pass '{name}'")

    def _groups(self, names: Sequence[str]) -> list[list[str]]:
        """Returns passes that run at once: several of LLVM's in a row, unless they are watched."""
        groups: list[list[str]] = []
        together = not (self.before or self.after)
        for name in names:
            if together and groups and name not in self._registered and groups[-1][0] not in self._registered:
                groups[-1].append(name)
            else:
                groups.append([name])
        return groups
