"""Lowers the llvm dialect: pointers, and the memory behind them."""
