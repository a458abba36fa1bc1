"""A record that is checked, with its path, so that rules only state the error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from xegpu.on_demand import dataclass
from zebin.errors import FindingSeverity
from zebin.yaml.source import TextReport
from zebin.ze_info.records import Record

R = TypeVar("R", bound=Record)
C = TypeVar("C", bound=Record)


@dataclass(frozen=True)
class Subject(Generic[R]):
    """A record and its `path` in the text, as in `kernels[0].execution_env`."""

    report: TextReport
    record: R
    path: tuple[str | int, ...]

    def child(self, key: str, record: C) -> Subject[C]:
        """Returns a nested record."""
        return Subject(self.report, record, (*self.path, key))

    def children(self, key: str, records: Iterable[C]) -> Iterator[Subject[C]]:
        """Yields the complete records of a nested list; incomplete ones cannot be checked."""
        for index, record in enumerate(records):
            if not record.incomplete:
                yield Subject(self.report, record, (*self.path, key, index))

    def error(self, code: str, message: str, key: str = "", *, found: object = "", expected: str = "") -> None:
        self._add(FindingSeverity.ERROR, code, message, key, found, expected)

    def warning(self, code: str, message: str, key: str = "", *, found: object = "", expected: str = "") -> None:
        self._add(FindingSeverity.WARNING, code, message, key, found, expected)

    def info(self, code: str, message: str, key: str = "", *, found: object = "", expected: str = "") -> None:
        self._add(FindingSeverity.INFO, code, message, key, found, expected)

    def _add(self, severity: FindingSeverity, code: str, message: str, key: str, found: object, expected: str) -> None:
        if self.report.drops(severity):
            return
        self.report.path = [*self.path, key] if key else [*self.path]
        at = self.report.source.find_key(self.record.at, key) if key else self.record.at
        self.report.add(severity, code, message, at, found=found, expected=expected)
        self.report.path = []


def check_conditions(subject: Subject[R]) -> None:
    """Checks the conditional attributes of the record against their conditions in the schema."""
    record = subject.record
    for row in record.conditional:
        value = getattr(record, row.name)
        if value != row.default:
            if row.when is not None and not row.when.holds(record):
                message = f"'{row.key}' has no meaning here"
                subject.warning("key.condition", message, row.key, found=value, expected=f"only with {row.when}")
        elif row.expected is not None and row.expected.holds(record) and row.name not in record.explicit:
            subject.warning("key.expected", f"'{row.key}' is not stated", expected=f"a value, with {row.expected}")
