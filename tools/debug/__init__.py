"""The command `xegpu-debug`."""
