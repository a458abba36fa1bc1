"""What the commands of lists need, and where they were appended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from runtime.ze.command_list import CommandList, ImmediateCommandList
from runtime.ze.validation.call import Call
from runtime.ze.validation.site import Site

T = TypeVar("T")


def is_executing(command_list: CommandList) -> bool:
    """Whether commands of the list are pending on a queue."""
    if isinstance(command_list, ImmediateCommandList):
        return not command_list.stream.idle
    return command_list.in_flight > 0


def executed_lists(call: Call) -> Iterator[CommandList]:
    """The lists that a call executes."""
    if "phCommandLists" in call.arguments:
        yield from (handle for _, handle in call.handles() if isinstance(handle, CommandList))


class Recorded(Generic[T]):
    """Objects that command lists need until they are reset; immediate lists until the commands are done."""

    def __init__(self) -> None:
        self._lists: WeakKeyDictionary[CommandList, dict[T, Site]] = WeakKeyDictionary()

    def add(self, call: Call, objects: Iterable[T]) -> None:
        """A command that needs `objects` was appended by `call`."""
        command_list = call.arguments["hCommandList"]
        assert isinstance(command_list, CommandList), "the driver has accepted it"
        needed = self._lists.setdefault(command_list, {})
        if isinstance(command_list, ImmediateCommandList) and not is_executing(command_list):
            needed.clear()
        needed.update((item, call.site) for item in objects)

    def reset(self, call: Call) -> None:
        """The commands of a list were dropped by `call`."""
        command_list = call.arguments["hCommandList"]
        assert isinstance(command_list, CommandList), "the driver has accepted it"
        self._lists.pop(command_list, None)

    def needs(self, command_list: CommandList) -> Mapping[T, Site]:
        """What a list needs, with the place where the latest command that does was appended."""
        return self._lists.get(command_list, {})

    def user(self, item: T) -> tuple[CommandList, Site] | None:
        """A list in execution that needs `item`, and where it was appended."""
        for command_list, needed in self._lists.items():
            if item in needed and is_executing(command_list):
                return command_list, needed[item]
        return None
