"""Calls of Linux: address ranges, files that processes share, and waiting for words of memory."""
