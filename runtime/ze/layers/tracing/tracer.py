"""Tracers, and the layer that calls them."""

from __future__ import annotations

import inspect
import sys
import threading
from collections.abc import Callable, Mapping
from functools import wraps
from typing import ClassVar

from runtime.concurrency import FOREVER, Waiters, step
from runtime.ze.dispatch import Function, driver_function
from runtime.ze.driver.handle import Handle
from runtime.ze.driver.system.driver import Driver
from runtime.ze.layers.tracing.callbacks import Callback, InstanceData, Parameters
from runtime.ze.spec.results import ZeError, ze_result_t


class _Calls(threading.local):
    """The tracers whose callbacks the thread executes now; calls made by callbacks are not traced."""

    def __init__(self) -> None:
        self.tracers: tuple[Tracer, ...] = ()


_calls = _Calls()
_waiters = Waiters()
"""The threads that wait until calls have left a tracer."""
_in_flight: dict[object, tuple[Tracer, ...]] = {}
"""The calls that have begun and not ended, with the tracers that they notify."""
_enabled: tuple[Tracer, ...] = ()
"""The enabled tracers in the order of creation. The tuple is replaced, never changed, so a call may read it without
lock.
"""


class Tracer(Handle):
    """Callbacks, and the `user_data` that they receive, for the calls to one driver; to all drivers if it is None."""

    noun: ClassVar[str] = "tracer"

    def __init__(self, driver: Driver | None, user_data: object) -> None:
        super().__init__(driver)
        self.driver = driver
        self.user_data = user_data
        self.prologues: dict[str, Callback] = {}
        self.epilogues: dict[str, Callback] = {}

    @property
    def enabled(self) -> bool:
        """True if the tracer is called."""
        return self in _enabled

    def enable(self, enable: bool) -> None:
        """Enables or disables the tracer for calls that begin from now on."""
        while True:
            before = _enabled
            others = tuple(tracer for tracer in before if tracer is not self)
            if _replace_enabled(
                before, tuple(sorted((*others, self), key=lambda tracer: tracer.id)) if enable else others
            ):
                return

    def require_disabled(self) -> None:
        """Raises `INVALID_ARGUMENT` for a change to a tracer that is enabled."""
        if self.enabled:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{self!r} must be disabled first")

    def retire(self) -> bool:
        """Waits for the calls that are in callbacks of the tracer, and makes it stale."""
        if self.enabled or self in _calls.tracers:
            why = "enabled" if self.enabled else "executing the callback that destroys it"
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, f"{self!r} is {why}")
        _waiters.wait(lambda: not any(self in tracers for tracers in tuple(_in_flight.values())), FOREVER)
        return super().retire()

    def follows(self, name: str, arguments: Mapping[str, object]) -> bool:
        """Returns whether the tracer has callbacks for a call."""
        if name not in self.prologues and name not in self.epilogues:
            return False
        return self.driver is None or _driver_of(arguments) in (None, self.driver)


@step
def _replace_enabled(before: tuple[Tracer, ...], enabled: tuple[Tracer, ...]) -> bool:
    """Replaces the enabled tracers, which are called for the whole process, if no other thread has."""
    global _enabled  # noqa: PLW0603
    if _enabled is not before:
        return False
    _enabled = enabled
    return True


def _driver_of(arguments: Mapping[str, object]) -> Handle | None:
    """Returns the driver that a call is made to; None for a call that concerns all drivers."""
    handle = next((value for value in arguments.values() if isinstance(value, Handle)), None)
    while handle is not None and handle.parent is not None:
        handle = handle.parent
    return handle


def tracing_layer(name: str, function: Function) -> Function:
    """Returns a function that calls the enabled tracers before and after `function`."""
    signature = inspect.signature(driver_function(name))

    @wraps(function)
    def call(*args: object, **kwargs: object) -> object:
        tracers = _enabled
        if not tracers or _calls.tracers:
            return function(*args, **kwargs)
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        taking_part = tuple(tracer for tracer in tracers if tracer.alive and tracer.follows(name, bound.arguments))
        if not taking_part:
            return function(*args, **kwargs)
        this_call = object()
        try:
            # The tracers are called to the end of the call, even if they are disabled meanwhile.
            _in_flight[this_call] = taking_part
            return _trace(name, function, Parameters(**bound.arguments, returned=None), taking_part)
        finally:
            _in_flight.pop(this_call, None)
            _waiters.notify()

    return call


def _trace(name: str, function: Function, parameters: Parameters, tracers: tuple[Tracer, ...]) -> object:
    instances = [InstanceData() for _ in tracers]

    def notify(callbacks: Callable[[Tracer], dict[str, Callback]], result: ze_result_t) -> None:
        _calls.tracers = tracers
        try:
            for tracer, instance in zip(tracers, instances, strict=True):
                _notify(callbacks(tracer).get(name), parameters, result, tracer.user_data, instance)
        finally:
            _calls.tracers = ()

    notify(lambda tracer: tracer.prologues, ze_result_t.ZE_RESULT_SUCCESS)
    result = ze_result_t.ZE_RESULT_ERROR_UNKNOWN
    try:
        arguments = {key: value for key, value in vars(parameters).items() if key != "returned"}
        returned = parameters.returned = function(**arguments)
        result = returned if isinstance(returned, ze_result_t) else ze_result_t.ZE_RESULT_SUCCESS
    except ZeError as error:
        result = error.result
        raise
    finally:
        notify(lambda tracer: tracer.epilogues, result)
    return parameters.returned


def _notify(
    callback: Callback | None, parameters: Parameters, result: ze_result_t, user_data: object, instance: InstanceData
) -> None:
    if callback is None:
        return
    try:
        callback(parameters, result, user_data, instance)
    except Exception as error:
        # A tool that fails must not keep the application from its call, nor another tool from its epilogue. What the
        # call itself has raised is no part of the report.
        error.__suppress_context__ = True
        sys.excepthook(type(error), error, error.__traceback__)
