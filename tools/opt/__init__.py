"""The implementation of `xegpu-opt`."""
