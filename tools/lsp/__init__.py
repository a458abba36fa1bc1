"""The command `xegpu-lsp`."""
