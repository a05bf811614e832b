"""Adapters: bleuprint inside other people's frameworks. Each is imported by name and needs its own extra."""
