"""``python -m bleuprint``."""

from bleuprint.cli import main

if __name__ == "__main__":
    main()
