"""The lowering of one kernel: its blocks, its values, and the emitter of instructions."""
