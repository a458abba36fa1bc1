"""Settings of all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# Tests assert behaviour, never time: an example may take as long as a busy machine needs.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# Random kernels do not fill the user's cache, and no test finds what an earlier run has compiled.
os.environ["XEGPU_CACHE_DIR"] = ""
