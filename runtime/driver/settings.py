"""Settings of the simulated GPU in the environment of a program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

_PREFIX = "XEGPU_"


@dataclass(frozen=True)
class Settings:
    """Settings of the driver, each for a variable of the environment; None is not set.

    Attributes:
        device: The names of the devices, separated by commas (`XEGPU_DEVICE`).
        checks: The names of the checks, separated by commas (`XEGPU_CHECKS`).
        profile: The file for the profile of each launch (`XEGPU_PROFILE`).
        trace: A filter for the instructions of a trace, `all` for every one (`XEGPU_TRACE`).
        trace_output: The file for the trace; without it, standard error (`XEGPU_TRACE_OUTPUT`).
        driver_log: The file for calls that fail, `-` for standard error (`XEGPU_DRIVER_LOG`).
    """

    device: str | None = None
    checks: str | None = None
    profile: str | None = None
    trace: str | None = None
    trace_output: str | None = None
    driver_log: str | None = None

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Settings:
        """Returns the settings in an environment; an empty variable counts as absent."""
        names = (field.name for field in fields(cls))
        return cls(**{name: environment.get(_PREFIX + name.upper()) or None for name in names})

    def variables(self) -> Iterator[tuple[str, str]]:
        """Yields the variables and their values."""
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                yield _PREFIX + field.name.upper(), str(value)
