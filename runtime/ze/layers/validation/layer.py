"""The layer that runs the checks."""

from __future__ import annotations

import atexit
import inspect
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from functools import wraps
from typing import ParamSpec

from runtime.ze.conversion import Arguments
from runtime.ze.declaration import function_called
from runtime.ze.dispatch import Function, driver_function
from runtime.ze.layers.validation.balance import BalanceChecker
from runtime.ze.layers.validation.call import ApiCall, CallChecker, Moment, parameters_of
from runtime.ze.layers.validation.lifetime import LifetimeChecker
from runtime.ze.layers.validation.memory import MemoryChecker
from runtime.ze.layers.validation.parameters import ParameterChecker
from runtime.ze.layers.validation.site import calling_site
from runtime.ze.layers.validation.threads import ThreadChecker
from runtime.ze.spec.results import ZeError

P = ParamSpec("P")


class ValidationCheck(Enum):
    """The checks of the layer, in the order in which they are made."""

    THREADS = "threads"
    PARAMETERS = "parameters"
    LIFETIME = "lifetime"
    MEMORY = "memory"
    BALANCE = "balance"


CHECKERS: dict[ValidationCheck, Callable[[], CallChecker]] = {
    ValidationCheck.THREADS: ThreadChecker,
    ValidationCheck.PARAMETERS: ParameterChecker,
    ValidationCheck.LIFETIME: LifetimeChecker,
    ValidationCheck.MEMORY: MemoryChecker,
    ValidationCheck.BALANCE: BalanceChecker,
}


class _AtWork(threading.local):
    """True while the thread is in a check. Python may run a finalizer there, whose calls go straight to the driver."""

    def __init__(self) -> None:
        self.active = False


class ValidationLayer:
    """Runs `checkers` around every call."""

    def __init__(self, checkers: Sequence[CallChecker]) -> None:
        self._checkers = tuple(checkers)
        self._at_work = _AtWork()

    @classmethod
    def of(cls, checks: Iterable[ValidationCheck]) -> ValidationLayer:
        """Returns a layer with the given checks, which reports leftover objects at exit."""
        chosen = set(checks)
        layer = cls([make() for check, make in CHECKERS.items() if check in chosen])
        atexit.register(layer._finish)
        return layer

    def remove(self) -> None:
        """Prevents the report at exit: the layer is removed and does not see later calls."""
        atexit.unregister(self._finish)

    def _finish(self) -> None:
        self._make_checks([checker.finish for checker in self._checkers])

    def wrap(self, name: str, function: Function) -> Function:
        """Returns `function` with checks before and after."""
        driver = driver_function(name)
        signature, parameters = inspect.signature(driver), parameters_of(driver)
        conversions = Arguments(driver, function_called(name).pointers)
        before = [checker.before for checker in self._at(Moment.BEFORE, name)]
        after = [checker.after for checker in self._at(Moment.AFTER, name)]
        left = [checker.left for checker in self._at(Moment.LEFT, name)]

        @wraps(function)
        def call(*args: object, **kwargs: object) -> object:
            if self._at_work.active:
                return function(*args, **kwargs)
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            site = calling_site()
            try:
                arguments = {**bound.arguments, **conversions.convert((), bound.arguments)}
            except ZeError as error:
                raise ZeError(error.result, f"{name}, {error.text} (called at {site})") from None
            api_call = ApiCall(name, parameters, arguments, site)
            try:
                self._make_checks(before, api_call)
                returned = function(**arguments)
                self._make_checks(after, api_call, returned)
                return returned
            finally:
                # An interrupt may keep the checkers from being told; they look at this store then.
                api_call.has_left = True
                self._make_checks(left, api_call)

        return call

    def _at(self, moment: Moment, name: str) -> Iterator[CallChecker]:
        return (checker for checker in self._checkers if moment in checker.moments(name))

    def _make_checks(self, checks: Sequence[Callable[P, None]], *args: P.args, **kwargs: P.kwargs) -> None:
        if not checks:
            return
        try:
            self._at_work.active = True
            for check in checks:
                check(*args, **kwargs)
        finally:
            self._at_work.active = False
