"""Studies: files of JSON lines with the outcomes of jobs, so that a search goes on where it was ended."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO

from tools.cli import CommandError, reason
from tools.tune.job import Job, JobOutcome

_FORMAT = "xegpu-tune study 1"


class Study:
    """The outcomes that are known, by the work and the digest of the job; with a file, those of earlier searches, too.

    A job whose kernel or launch has changed has another digest, so that old outcomes never stand for new jobs. A line
    that was cut off when a search was killed is dropped.

    Raises:
        CommandError: The file cannot be read or written, or is no study.
    """

    def __init__(self, path: str | None) -> None:
        self._known: dict[tuple[str, str], JobOutcome] = {}
        self._path = path
        self._file: IO[str] | None = None
        if path is None:
            return
        try:
            text = Path(path).read_text(encoding="utf-8") if Path(path).exists() else ""
            whole = text[: text.rfind("\n") + 1]
            self._read(whole.splitlines(), path)
            self._file = Path(path).open("a", encoding="utf-8")  # noqa: SIM115 - open as long as the search
            if len(whole) != len(text):
                os.truncate(path, len(whole.encode()))
            if not whole:
                self._write(_FORMAT)
        except (OSError, UnicodeDecodeError) as error:
            why = reason(error) if isinstance(error, OSError) else "it is not UTF-8 text"
            raise CommandError(f"cannot be used as a study: {why}", path) from None

    def __enter__(self) -> Study:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def outcome(self, work: Callable[[Job], JobOutcome], job: Job) -> JobOutcome | None:
        """Returns the known outcome of a job; None if there is none."""
        return self._known.get((work.__name__, job.key))

    def add(self, work: Callable[[Job], JobOutcome], job: Job, outcome: JobOutcome) -> None:
        """Keeps an outcome."""
        self._known[work.__name__, job.key] = outcome
        self._write({"work": work.__name__, "job": job.key, "outcome": asdict(outcome)})

    def _read(self, lines: list[str], path: str) -> None:
        for number, line in enumerate(lines, 1):
            try:
                self._known.update(_entries(number, json.loads(line)))
            except (AttributeError, KeyError, TypeError, ValueError):
                raise CommandError(f"is not a line of '{_FORMAT}'", f"{path}:{number}") from None

    def _write(self, value: object) -> None:
        if self._file is not None:
            self._file.write(json.dumps(value) + "\n")
            self._file.flush()


def _entries(number: int, value: object) -> Iterator[tuple[tuple[str, str], JobOutcome]]:
    if number == 1:
        if value != _FORMAT:
            raise ValueError("another file")
        return
    if not isinstance(value, dict):
        raise TypeError("an entry is an object")
    yield (str(value["work"]), str(value["job"])), JobOutcome(**value["outcome"])
