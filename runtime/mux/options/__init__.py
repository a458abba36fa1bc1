"""The options of compilations: those of OpenCL, and those of the compiler for a device."""
