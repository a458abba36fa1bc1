"""Passes on the `arith` dialect; each module defines one."""
