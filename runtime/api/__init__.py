"""The Python API that `runtime` exports: devices, buffers, kernels, streams and events."""
