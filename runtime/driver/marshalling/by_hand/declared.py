"""Declarations of the callables that are written by hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Concatenate, ParamSpec

from runtime.driver.marshalling.callables import Answer
from runtime.driver.marshalling.failures import failed, refused
from runtime.ze import ZeError, ze_result_t

P = ParamSpec("P")

Function = Callable[..., object]

_BY_HAND: dict[str, Callable[..., int]] = {}


def by_hand(function: Callable[Concatenate[Function, P], int]) -> Callable[Concatenate[Function, P], int]:
    """Declares what the function of the same name is in C."""

    @wraps(function)
    def call(answered: Function, /, *args: P.args, **kwargs: P.kwargs) -> int:
        try:
            return function(answered, *args, **kwargs)
        except ZeError as error:
            return refused(function.__name__, error)
        except BaseException as error:
            return failed(error)

    _BY_HAND[function.__name__] = call
    return call


def answer_by_hand(name: str, function: Function) -> Answer | None:
    """Returns the callable for a function if it is written by hand."""
    call = _BY_HAND.get(name)
    return None if call is None else partial(call, function)


def require(*places: int) -> None:
    """Raises `INVALID_NULL_POINTER` if there is no place for an answer."""
    if not all(places):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_NULL_POINTER, "there is no place for the answer")
