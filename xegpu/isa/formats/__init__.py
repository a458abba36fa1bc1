"""Instruction formats: fields, encoding, decoding, validation and footprint."""
