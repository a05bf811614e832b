"""How explanations of chrF are shown."""
