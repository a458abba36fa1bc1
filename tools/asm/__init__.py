"""The modules behind `xe-asm`."""
