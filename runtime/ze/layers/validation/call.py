"""One call of the API as the checks see it."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Collection, Iterator, Sequence
from enum import Enum
from typing import Protocol

from runtime.ze.dispatch import Function
from runtime.ze.driver.handle import Handle
from runtime.ze.layers.validation.site import CallSite
from runtime.ze.spec.results import ZeError, ze_result_t
from xegpu.on_demand import dataclass


@dataclass(frozen=True)
class ApiParameter:
    """A parameter: the types of its values, those of the items if it is an array, and whether it may be null."""

    name: str
    types: tuple[type, ...]
    items: tuple[type, ...]
    optional: bool

    @property
    def handle_type(self) -> type[Handle] | None:
        """The kind of handle that the parameter, or each item of it, is; None if it may be something else."""
        kinds = (*self.types, *self.items)
        return kinds[0] if len(kinds) == 1 and issubclass(kinds[0], Handle) else None

    @property
    def is_array(self) -> bool:
        return bool(self.items)


def parameters_of(function: Function) -> tuple[ApiParameter, ...]:
    """Returns the parameters of a function of the driver, from its annotations."""
    hints = typing.get_type_hints(function)
    return tuple(_parameter(name, hints[name]) for name in inspect.signature(function).parameters)


def _parameter(name: str, hint: object) -> ApiParameter:
    is_union = typing.get_origin(hint) in (types.UnionType, typing.Union)
    alternatives = typing.get_args(hint) if is_union else (hint,)
    kinds, items, optional = [], [], False
    for alternative in alternatives:
        origin = typing.get_origin(alternative)
        optional = optional or alternative in (type(None), object)
        if alternative is type(None):
            continue
        if origin is Sequence:
            (item,) = typing.get_args(alternative)
            items += [kind for kind in typing.get_args(item) or (item,) if isinstance(kind, type)]
        else:
            kind = origin or alternative
            if isinstance(kind, type):
                kinds.append(kind)
    return ApiParameter(name, tuple(kinds), tuple(items), optional)


@dataclass(eq=False)
class ApiCall:
    """A call of the function `name`, made at `site`, with `arguments` by the names of its parameters.

    `has_left` is True when the call has ended, with or without success.
    """

    name: str
    parameters: tuple[ApiParameter, ...]
    arguments: dict[str, object]
    site: CallSite
    has_left: bool = False

    def error(self, result: ze_result_t, argument: str, rule: str) -> ZeError:
        """Returns the report of an argument that breaks a rule."""
        return ZeError(result, f"{self.name}, {argument}: {rule} (called at {self.site})")

    def handles(self) -> Iterator[tuple[ApiParameter, object]]:
        """Yields the arguments that are handles or stand in the place of one, each with its parameter."""
        for parameter in self.parameters:
            value = self.arguments[parameter.name]
            items = value if parameter.is_array and isinstance(value, Sequence) else (value,)
            for item in items:
                if isinstance(item, Handle) or (parameter.handle_type is not None and item is not None):
                    yield parameter, item


class Moment(Enum):
    """When a check looks at a call."""

    BEFORE = "before"
    """Before the driver is called; an error stops the call."""
    AFTER = "after"
    """When the driver has returned."""
    LEFT = "left"
    """After all of that, whether the call succeeded or not, unless an interrupt comes in between."""


class CallChecker(Protocol):
    """A check of calls, which is told of a call at the `moments` of its function only."""

    def moments(self, name: str) -> Collection[Moment]:
        """Returns when calls of the function called `name` are looked at."""

    def before(self, call: ApiCall) -> None:
        """Raises `ZeError` to stop a call."""

    def after(self, call: ApiCall, returned: object) -> None:
        """Looks at a call from which the driver has returned."""

    def left(self, call: ApiCall) -> None:
        """Looks at a call that has ended."""

    def finish(self) -> None:
        """Reports leftover objects when the process ends."""
