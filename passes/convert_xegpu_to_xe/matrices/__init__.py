"""Lowers products of matrices to instructions of the matrix engine."""
