"""The two engines, side by side, for tests that compare them."""

from bleuprint.engines.native import NativeEngine
from bleuprint.engines.python import PythonEngine

NATIVE, PYTHON = NativeEngine(), PythonEngine()
