"""Lowers operations on vectors: shapes, elements, masks, reductions, products and memory."""
