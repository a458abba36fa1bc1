"""Data of the specification: results, enumerations and structures, under its names and with its values."""
