"""The cache on disk: later processes need not compile what an earlier one has compiled."""

from __future__ import annotations

from runtime.disk_cache.binaries import find_binary, keep_binary
from runtime.disk_cache.keys import entry_key, files_identity
from runtime.disk_cache.object_cache import ObjectCache, default_cache

__all__ = ["ObjectCache", "default_cache", "entry_key", "files_identity", "find_binary", "keep_binary"]
