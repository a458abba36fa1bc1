"""The notation of the parts of instructions: the scanner of assembly text, and the reader and writer of operands."""
