"""Views of results: terminal, HTML, JSON. They read explanations and compute nothing."""
