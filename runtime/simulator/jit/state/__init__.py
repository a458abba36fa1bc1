"""State that compiled code works on: registers, channels, and records shared with the host."""
