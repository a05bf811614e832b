"""Drop-ins: other tools' calls, by their own names and with their own numbers, counted by bleuprint's engines."""
