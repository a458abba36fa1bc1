"""Operations of the XeGPU dialect."""
