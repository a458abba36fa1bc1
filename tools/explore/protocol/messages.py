"""Requests as the server passes them on to the process that answers, and their answers."""

from __future__ import annotations

import json
from enum import Enum, StrEnum
from typing import NamedTuple


class PageRequestKind(StrEnum):
    """The kinds of requests; they are the last words of their addresses."""

    COMPILE = "compile"
    NATIVE = "native"
    RUN = "run"
    LAYOUTS = "layouts"


class AnswerKind(Enum):
    """The kinds of answers."""

    ANSWERED = "answered"
    MALFORMED = "malformed"
    """The request is none that the page sends."""
    GIVEN_UP = "given up"
    """The request takes more time or memory than it may."""


class PageAnswer(NamedTuple):
    """An answer, in JSON; other than those that answer, it has the member `refused` with the reason."""

    outcome: AnswerKind
    body: bytes


class PageRequest(NamedTuple):
    """A request, whose body is JSON if it is one of the page."""

    kind: PageRequestKind
    body: bytes
    seconds: float = 20.0
    """The time that it may take."""


def refused(outcome: AnswerKind, reason: str) -> PageAnswer:
    """Returns the answer to a request that is not answered."""
    return PageAnswer(outcome, json.dumps({"refused": reason}).encode())
