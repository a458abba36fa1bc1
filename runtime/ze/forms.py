"""Functions that have one name and two forms: the parameters of 1.x, and those of specification 0.91.

A call has the older form if its first handle is of the kind that the older form begins with (1.x put a context before
it), or, where both begin with the same handle, if it has as many arguments as the older form.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import ParamSpec, Protocol, TypeVar, cast, overload

from runtime.concurrency import lazy

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
Result = TypeVar("Result", covariant=True)


class CallForms(Protocol[P, Q, Result]):
    """A function that takes the arguments of either form."""

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Result: ...

    @overload
    def __call__(self, *args: Q.args, **kwargs: Q.kwargs) -> Result: ...


class _CallForm:
    """The parameters of a function."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function

    @lazy
    def names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(inspect.signature(self._function).parameters)

    @lazy
    def kind(self) -> type:
        """The class of the first handle. It is looked up when the function is called first."""
        found = typing.get_type_hints(self._function)[self.names[0]]
        assert isinstance(found, type)
        return found

    @lazy
    def required(self) -> int:
        """The number of parameters without a default."""
        parameters = inspect.signature(self._function).parameters.values()
        return sum(parameter.default is parameter.empty for parameter in parameters)

    def begins(self, args: Sequence[object], kwargs: Mapping[str, object]) -> bool:
        """Returns whether the first argument is the handle that the form begins with."""
        first = args[0] if args else kwargs.get(self.names[0])
        return isinstance(first, self.kind)


def choosing(newer: Callable[P, R], older: Callable[Q, R]) -> CallForms[P, Q, R]:
    """Returns a function that calls the form whose arguments it gets: that of 1.x or that of 0.91."""
    current, former = _CallForm(newer), _CallForm(older)
    call_newer: Callable[..., R] = newer
    call_older: Callable[..., R] = older

    def is_older(args: Sequence[object], kwargs: Mapping[str, object]) -> bool:
        count = len(args) + len(kwargs)
        if current.kind is former.kind:
            return count == len(former.names)
        if current.names[0] in kwargs:
            return False
        return former.begins(args, kwargs) or (count < current.required and not current.begins(args, kwargs))

    @wraps(newer)
    def call(*args: object, **kwargs: object) -> R:
        return (call_older if is_older(args, kwargs) else call_newer)(*args, **kwargs)

    return cast("CallForms[P, Q, R]", call)
