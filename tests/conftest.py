import atexit
import os
import shutil
import tempfile

from hypothesis import settings

# The same examples on every run and every machine: a failure is a change in the code, not luck.
settings.register_profile("bleuprint", deadline=None, derandomize=True, database=None, max_examples=200)
settings.load_profile("bleuprint")

# What evaluate copies and caches goes into a folder of this run, never into somebody's home.
os.environ["HF_HOME"] = tempfile.mkdtemp(prefix="bleuprint-huggingface-")
atexit.register(shutil.rmtree, os.environ["HF_HOME"], ignore_errors=True)
