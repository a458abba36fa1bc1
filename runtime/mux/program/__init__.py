"""The compiler of a device, its modules and their kernels (specification: chapters Info, Target, Module, Kernel)."""
