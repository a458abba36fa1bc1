"""Lowerings of host operations to LLVM IR: a file per dialect, or per part of one. A module here is found."""
