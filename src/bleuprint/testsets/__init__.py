"""Test sets by name: what people score on, found on this machine, fetched where it is not, and checked."""
