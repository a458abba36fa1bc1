"""What must hold of attributes that only some records have: they stand where they mean something, and nowhere else."""

from __future__ import annotations

from typing import TypeVar

from zebin.rules.subject import Subject
from zebin.ze_info.records import Record

R = TypeVar("R", bound=Record)


def check_conditions(subject: Subject[R]) -> None:
    """Every conditional attribute of the record, by the conditions that the table gives."""
    record = subject.record
    for row in record.conditional:
        value = getattr(record, row.name)
        if value != row.default:
            if row.when is not None and not row.when.holds(record):
                message = f"'{row.key}' means nothing here"
                subject.warning("key.condition", message, row.key, found=value, expected=f"only with {row.when}")
        elif row.expected is not None and row.expected.holds(record) and row.name not in record.explicit:
            subject.warning("key.expected", f"'{row.key}' is not stated", expected=f"a value, with {row.expected}")
