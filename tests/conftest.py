from hypothesis import settings

# The same examples on every run and every machine: a failure is a change in the code, not luck.
settings.register_profile("bleuprint", deadline=None, derandomize=True, database=None, max_examples=200)
settings.load_profile("bleuprint")
