"""The generated pages about the driver for programs in C."""
