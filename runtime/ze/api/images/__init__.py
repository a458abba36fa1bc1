"""Chapters of images and samplers."""
