"""The work of `xegpu-top`: takes samples and shows them."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import termios
import time
import tty
from collections.abc import Iterator, Sequence
from itertools import count

from rich.console import Console
from rich.live import Live

from runtime import ZeError, zes
from runtime.zes.inventory import cards
from tools.cli import CommandError, ExitStatus
from tools.top.command import TopOptions
from tools.top.samples import sample
from tools.top.view import view

_FIRST_SECONDS = 0.1
"""The time between the first two samples: the first view does not make anyone wait."""

_MOST_KEYS = 64
"""The keys that are read at a time."""

_WIDTH = 140
"""The width of output that does not go to a terminal."""


def run(options: TopOptions) -> int:
    """Executes the command line and returns 0.

    Raises:
        CommandError: If there are no cards.
    """
    try:
        found = cards()
    except ZeError as error:
        raise CommandError(str(error)) from None
    is_live = sys.stdout.isatty() and sys.stdin.isatty()
    try:
        _show(found, options, is_live=is_live)
    except KeyboardInterrupt:
        if not is_live:
            raise
    return ExitStatus.SUCCESS


def _show(found: Sequence[zes.zes_device_handle_t], options: TopOptions, *, is_live: bool) -> None:
    """Shows views until the user quits, or as many as the options say."""
    console = Console() if sys.stdout.isatty() else Console(width=_WIDTH)
    before = [sample(card) for card in found]
    limit = options.count or (None if is_live else 1)
    with _keys(is_live), Live(console=console, screen=is_live, auto_refresh=False) if is_live else _nothing() as live:
        for number in count(1):
            if _quits(_FIRST_SECONDS if number == 1 else options.interval, is_live=is_live):
                break
            now = [sample(card) for card in found]
            shown = view(before, now)
            if isinstance(live, Live):
                live.update(shown, refresh=True)
            else:
                console.print(shown)
            before = now
            if number == limit:
                break


@contextlib.contextmanager
def _nothing() -> Iterator[None]:
    yield


@contextlib.contextmanager
def _keys(is_live: bool) -> Iterator[None]:
    """Lets keys be read one by one, and restores the terminal."""
    if not is_live:
        yield
        return
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _quits(seconds: float, *, is_live: bool) -> bool:
    """Waits, and returns whether the user quits meanwhile, by q."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        if not is_live:
            time.sleep(left)
        elif select.select([sys.stdin], [], [], left)[0]:
            keys = os.read(sys.stdin.fileno(), _MOST_KEYS)  # not through a buffer, which would hide keys
            if not keys or b"q" in keys.lower():
                return True
    return False
