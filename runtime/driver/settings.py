"""Settings of the simulated GPU in the environment of a program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Settings:
    """Settings of the driver, each for a variable of the environment; None is not set.

    Attributes:
        device: The names of the devices, separated by commas (`XEGPU_DEVICE`).
        checks: The names of the checks, separated by commas (`XEGPU_CHECKS`).
        driver_log: The file for calls that fail, `-` for standard error (`XEGPU_DRIVER_LOG`).
    """

    device: str | None = None
    checks: str | None = None
    driver_log: str | None = None

    def variables(self) -> Iterator[tuple[str, str]]:
        """Yields the variables and their values."""
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                yield f"XEGPU_{field.name.upper()}", str(value)
