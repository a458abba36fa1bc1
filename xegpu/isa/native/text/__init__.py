"""The text of native instructions, written and read."""
