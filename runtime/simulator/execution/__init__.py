"""Executables: decoded kernels with their costs, and the protocol of the engines that run them."""
