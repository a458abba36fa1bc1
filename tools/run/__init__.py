"""The parts of `xegpu-run`."""
