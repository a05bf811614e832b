"""The page in a real browser. A package, so that fixtures of its scope end when other tests follow."""
