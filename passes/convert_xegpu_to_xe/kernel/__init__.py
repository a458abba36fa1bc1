"""The lowering of one kernel: its signature, its values, its resources, and the emitter of instructions."""
