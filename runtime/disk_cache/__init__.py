"""The cache on disk: later processes need not compile what an earlier one has compiled."""

from runtime.disk_cache.binaries import find_binary as find_binary, keep_binary as keep_binary
from runtime.disk_cache.keys import entry_key as entry_key, files_identity as files_identity
from runtime.disk_cache.object_cache import ObjectCache as ObjectCache, default_cache as default_cache
