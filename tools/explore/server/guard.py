"""Lets only those requests through that the page itself sends."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

MAX_BODY = 2 << 20
"""The bytes of the largest request: a text, and the JSON around it."""


@dataclass(frozen=True)
class Guard:
    """The rules for requests, which keep other sites and other users of this machine out.

    A page of another site can send requests to this machine, too, but under its own name: in `Origin`, or, where it has
    made its name point here, in `Host`. Others cannot know the token.

    Attributes:
        port: The port that is listened to.
        token: The first part of each address.
    """

    port: int
    token: str

    def path(self, path: str) -> str | None:
        """Returns the part of a path behind the token; None if it has another one."""
        token, slash, rest = path.removeprefix("/").partition("/")
        is_known = secrets.compare_digest(token.encode("utf-8", "surrogateescape"), self.token.encode())
        return rest if is_known and slash else None

    def is_foreign(self, headers: Mapping[str, str]) -> bool:
        """Returns whether a request was sent to another name, or by the page of another origin."""
        hosts = [f"{name}:{self.port}" for name in ("127.0.0.1", "localhost")]
        host = headers.get("host", "")
        origin = headers.get("origin", f"http://{host}")
        site = headers.get("sec-fetch-site", "same-origin")
        return host not in hosts or origin != f"http://{host}" or site not in ("same-origin", "none")
