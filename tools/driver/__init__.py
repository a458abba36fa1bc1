"""The command `xegpu-driver`."""
