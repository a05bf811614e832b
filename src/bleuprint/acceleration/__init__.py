"""Acceleration: the kernel under installed packages, which keep their own code for everything but counting."""
