"""Passes on the `scf` dialect; each module defines one."""
