"""Passes on the `xetile` dialect; each module defines one."""
