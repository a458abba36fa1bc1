"""Rules of the simulated machine that both engines follow."""
