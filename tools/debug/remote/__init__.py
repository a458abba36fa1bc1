"""The debugger of programs in other processes: their code, breakpoints and state, and the stops of their kernels."""
