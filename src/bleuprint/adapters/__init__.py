"""Adapters: bleuprint in the shape that other ecosystems ask for. Each imports its library only when it is used."""
