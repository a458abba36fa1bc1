"""The stage gate: what each pass of upstream's pipeline leaves of a kernel compiles here, and computes the same."""
