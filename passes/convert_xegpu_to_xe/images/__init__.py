"""Lowers operations on images: messages to texels, and what describes an image."""
