"""Tracking of undefined bytes through registers and memory."""
