"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

# Tests assert behaviour, never time: an example may take as long as a busy machine needs.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
