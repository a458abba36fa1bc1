"""Compiled image messages: a routine for each kind of message, texel format and sampler that a process uses often."""
