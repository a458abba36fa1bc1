"""Settings of all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# Tests assert behaviour, never time: an example may take as long as a busy machine needs. Examples are the same in
# every run, so that a change alone makes a test fail; `tests.bulk` looks for new ones.
settings.register_profile("untimed", deadline=None, derandomize=True)
settings.load_profile("untimed")

# Random kernels do not fill the user's cache, and no test finds what an earlier run has compiled.
os.environ["XEGPU_CACHE_DIR"] = ""
