"""Lowers the intrinsics of vector compute that are one instruction each: messages, products of matrices, lookups."""
