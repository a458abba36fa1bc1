"""The kernel or program arguments of `xegpu-run`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from runtime.simulator.supervision import parse_bytes
from tools.cli import CommandError, UsageError
from tools.run.command import RunOptions
from tools.run.values import Array, ImageValue, Value, parse_value


class ArgumentList:
    """Values of parameters, which are selected by number or name; `values` are those of the last run.

    `called` names the callee, as in "kernel 'add'", and `signature` its parameters. Raises `CommandError` for a wrong
    number of values and `UsageError` for outputs of unknown arguments.
    """

    def __init__(self, options: RunOptions, names: Sequence[str], called: str, signature: str) -> None:
        if len(options.arg) != len(names):
            raise CommandError(
                f"{called} expects {len(names)} arguments, got {len(options.arg)} with --arg: {signature}"
            )
        self._names = names
        self._described = f"the {called.partition(' ')[0]} is {signature}"
        self._texts, self._limit = tuple(options.arg), memory_limit(options)
        self._initial = self.fresh()
        self.values: list[Value] = self._initial
        self._runs_again = bool(options.debug or options.breakpoints)
        for selected in (*(s.argument for s in (*options.out, *options.expect)), *options.print):
            self.array(selected)

    def renew(self) -> None:
        """Restores the initial contents of arrays, if there may be several runs."""
        if self._runs_again:
            self.values = [_copied(value) for value in self._initial]

    @property
    def blank(self) -> Sequence[int]:
        """The numbers of the arguments that are `zeros:`, which say nothing but the room for a result."""
        return [index for index, text in enumerate(self._texts) if text.startswith("zeros:")]

    def fresh(self) -> list[Value]:
        """Returns the values as they were before any run."""
        return list(_values(self._texts, self._limit))

    @property
    def named_values(self) -> Sequence[tuple[str, Value]]:
        """The values with the names of their parameters."""
        return list(zip(self._names, self.values, strict=True))

    def array(self, selected: str) -> tuple[str, Array]:
        """Returns the name and the contents of an argument, selected by number or name. Raises `UsageError`."""
        names = dict(enumerate(self._names))
        number = int(selected) if selected.isascii() and selected.isdigit() and len(selected) < 10 else None
        index = number if number is not None else next((i for i, name in names.items() if name == selected), -1)
        if index not in names:
            raise UsageError(f"there is no argument '{selected[:80]}', {self._described}")
        value = self.values[index]
        if isinstance(value, ImageValue):
            value = value.texels
        if not isinstance(value, np.ndarray):
            raise UsageError(f"argument '{names[index]}' is not an array")
        return names[index], value


def _copied(value: Value) -> Value:
    if isinstance(value, ImageValue):
        return replace(value, texels=value.texels.copy())
    return value.copy() if isinstance(value, np.ndarray) else value


def _values(texts: Sequence[str], limit: int) -> Iterator[Value]:
    """Yields the values, whose arrays may take `limit` bytes together."""
    for text in texts:
        value = parse_value(text, limit)
        array = value.texels if isinstance(value, ImageValue) else value
        limit -= array.nbytes if isinstance(array, np.ndarray) else 0
        yield value


def memory_limit(options: RunOptions) -> int:
    """Returns the bytes that arrays may take together: the option, or else the memory of the machine.

    Raises:
        UsageError: If the option is not a number of bytes.
    """
    if options.memory_limit is not None:
        return _bytes(options.memory_limit)
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _bytes(text: str) -> int:
    try:
        size = parse_bytes(text[:30])
    except ValueError:
        size = 0
    if size < 1:
        raise UsageError(f"argument --memory-limit: '{text[:80]}' is not a size in bytes, e.g. 1048576 or 512M")
    return size
