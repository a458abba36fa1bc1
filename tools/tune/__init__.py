"""The parts of `xegpu-tune`."""
