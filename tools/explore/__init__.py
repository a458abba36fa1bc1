"""The implementation of `xegpu-explore`."""
