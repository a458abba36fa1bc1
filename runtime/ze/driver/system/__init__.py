"""Drivers, devices and contexts, and the machine that they share."""
