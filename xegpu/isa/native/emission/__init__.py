"""Emission of native code: from programs of the model to words of the hardware."""
