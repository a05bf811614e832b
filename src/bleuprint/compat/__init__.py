"""Drop-ins: what other tools offer, under their names, with their arguments and their numbers, from this engine."""
