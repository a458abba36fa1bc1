"""Texts that several commands show."""
