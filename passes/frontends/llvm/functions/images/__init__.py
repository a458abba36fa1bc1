"""Imports operations on images: reads, samples and writes of texels, and queries."""
