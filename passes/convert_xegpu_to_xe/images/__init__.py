"""Lowers operations on images: accesses to texels, and queries of an image's description."""
