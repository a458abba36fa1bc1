"""The implementation of `xegpu-run`."""
