"""The process, which fork changes: a child has the objects of its parent, but none of its threads."""

from __future__ import annotations

import os


class Process:
    """Counts the forks that led to this process; objects that note the count know whether they are the parent's."""

    def __init__(self) -> None:
        self.forks = 0

    def forked(self) -> None:
        """Notes that this process is a child."""
        self.forks += 1


PROCESS = Process()
"""This process."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=PROCESS.forked)
