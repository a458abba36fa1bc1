"""Code of whole kernels: programs, control flow, line tables and printf records."""
