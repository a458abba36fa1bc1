"""Imports what kernels do with images: reads, samples and writes of texels, and questions about images."""
