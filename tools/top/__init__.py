"""The command `xegpu-top`."""
