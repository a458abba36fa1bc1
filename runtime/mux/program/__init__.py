"""Programs of the ComputeMux compiler: modules, their kernels, and all that they pass through."""
