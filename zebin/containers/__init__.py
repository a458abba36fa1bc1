"""Device code inside other files: where it is, for which device, and which piece a driver would take."""
