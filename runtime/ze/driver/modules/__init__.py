"""Modules and kernels: loading, linking, arguments, payload and printf."""
