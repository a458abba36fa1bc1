"""The modules behind `mux-compile`."""
