"""The command lines: `xegpu-opt`, `xegpu-run`, `xe-asm`, `zebin-dump`, `zebin-edit` and `ze-info`."""
