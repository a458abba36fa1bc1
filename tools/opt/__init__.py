"""The parts of `xegpu-opt`."""
