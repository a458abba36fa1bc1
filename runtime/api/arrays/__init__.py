"""Arrays and images of the device, and arrays of the host that kernels take."""
