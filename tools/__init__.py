"""The command lines: `xegpu-opt`, `xegpu-run`, `xe-asm`, `zebin-dump`, `zebin-edit`, `ze-info` and others."""
