"""Passes on the `xe` dialect; each module defines one."""
