"""How explanations of TER are shown."""
