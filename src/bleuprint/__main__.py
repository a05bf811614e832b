"""``python -m bleuprint``."""

from bleuprint.cli import run_program

if __name__ == "__main__":
    run_program()
