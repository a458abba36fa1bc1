"""Tests of `xegpu-tune`."""
