"""System management (Sysman) over the simulator, with the specification's names."""
