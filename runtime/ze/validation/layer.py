"""The layer that runs the checks."""

from __future__ import annotations

import atexit
import inspect
import threading
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import wraps

from runtime.ze.conversion import Arguments
from runtime.ze.declaration import function_called
from runtime.ze.dispatch import Function, driver_function
from runtime.ze.spec.results import ZeError
from runtime.ze.validation.balance import BalanceChecker
from runtime.ze.validation.call import ApiCall, CallChecker, parameters_of
from runtime.ze.validation.lifetime import LifetimeChecker
from runtime.ze.validation.memory import MemoryChecker
from runtime.ze.validation.parameters import ParameterChecker
from runtime.ze.validation.site import calling_site
from runtime.ze.validation.threads import ThreadChecker


class ValidationCheck(Enum):
    """The checks of the layer, in the order in which they are made."""

    THREADS = "threads"
    PARAMETERS = "parameters"
    LIFETIME = "lifetime"
    MEMORY = "memory"
    BALANCE = "balance"


_CHECKERS: dict[ValidationCheck, Callable[[], CallChecker]] = {
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
        """Returns a layer with the given checks, which reports at exit what is left."""
        chosen = set(checks)
        layer = cls([make() for check, make in _CHECKERS.items() if check in chosen])
        atexit.register(layer._finish)
        return layer

    def remove(self) -> None:
        """Prevents the report at exit: the layer is removed and does not see later calls."""
        atexit.unregister(self._finish)

    def _finish(self) -> None:
        self._make_checks(lambda checker: checker.finish())

    def wrap(self, name: str, function: Function) -> Function:
        """Returns `function` with checks before and after."""
        driver = driver_function(name)
        signature, parameters = inspect.signature(driver), parameters_of(driver)
        conversions = Arguments(driver, function_called(name).pointers)

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
            return self._check(ApiCall(name, parameters, arguments, site), function)

        return call

    def _check(self, call: ApiCall, function: Function) -> object:
        try:
            self._make_checks(lambda checker: checker.before(call))
            returned = function(**call.arguments)
            self._make_checks(lambda checker: checker.after(call, returned))
            return returned
        finally:
            # An interrupt may keep the checkers from being told; they look at this store then.
            call.has_left = True
            self._make_checks(lambda checker: checker.left(call))

    def _make_checks(self, check: Callable[[CallChecker], None]) -> None:
        try:
            self._at_work.active = True
            for checker in self._checkers:
                check(checker)
        finally:
            self._at_work.active = False
