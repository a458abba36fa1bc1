"""Passes on the `xegpu` dialect; each module defines one."""
