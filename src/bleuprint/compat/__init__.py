"""Other tools: drop-ins by their own names and with their own numbers, their arithmetic, and acceleration in place."""
