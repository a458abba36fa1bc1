"""Objects that the commands of lists need, and the calls that appended these commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from runtime.ze.driver.execution.command_list import CommandList, ImmediateCommandList
from runtime.ze.layers.validation.call import ApiCall
from runtime.ze.layers.validation.settling import settle
from runtime.ze.layers.validation.site import CallSite
from xegpu.on_demand import dataclass

T = TypeVar("T")


def executed_lists(call: ApiCall) -> Iterator[CommandList]:
    """Yields the lists that a call executes."""
    if "phCommandLists" in call.arguments:
        yield from (handle for _, handle in call.handles() if isinstance(handle, CommandList))


@dataclass(frozen=True, slots=True)
class _Use:
    """The use of an object by a command that was appended at `site`; in an immediate list, the one with that number."""

    site: CallSite
    number: int


class Recorded(Generic[T]):
    """Objects that command lists need until they are reset; immediate lists, until the command is done."""

    def __init__(self) -> None:
        self._lists: WeakKeyDictionary[CommandList, dict[T, _Use]] = WeakKeyDictionary()

    def add(self, call: ApiCall, objects: Iterable[T]) -> None:
        """Notes that `call` appended a command that needs `objects`."""
        command_list = call.arguments["hCommandList"]
        assert isinstance(command_list, CommandList), "the driver has accepted it"
        uses, number = self._lists.setdefault(command_list, {}), 0
        if isinstance(command_list, ImmediateCommandList):
            number = command_list.stream.backlog.submitted
            completed = command_list.stream.backlog.completed
            for item in [item for item, use in uses.items() if use.number <= completed]:
                del uses[item]
        uses.update((item, _Use(call.site, number)) for item in objects)

    def reset(self, call: ApiCall) -> None:
        """Notes that `call` dropped the commands of a list."""
        command_list = call.arguments["hCommandList"]
        assert isinstance(command_list, CommandList), "the driver has accepted it"
        self._lists.pop(command_list, None)

    def needs(self, command_list: CommandList) -> Mapping[T, CallSite]:
        """Returns the objects that a list needs, with the call that appended the latest command that does."""
        return {item: use.site for item, use in self._lists.get(command_list, {}).items()}

    def user(self, item: T) -> tuple[CommandList, CallSite] | None:
        """Returns an executing list that needs `item`, if any, and the call that appended the command."""
        found = self._user(item)
        if found is not None:
            settle(found[0])
        return found and self._user(item)

    def _user(self, item: T) -> tuple[CommandList, CallSite] | None:
        for command_list, uses in self._lists.items():
            use = uses.get(item)
            if use is not None and _is_executing(command_list, use):
                return command_list, use.site
        return None


def _is_executing(command_list: CommandList, use: _Use) -> bool:
    """Returns whether the user of an object is pending: a command of an immediate list, or a regular list."""
    if isinstance(command_list, ImmediateCommandList):
        return command_list.stream.backlog.completed < use.number
    return command_list.is_executing
