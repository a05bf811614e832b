"""For spark-submit, which wants a file: scores tables with Spark. ``--help`` says how."""

from bleuprint.adapters.spark_job import main

if __name__ == "__main__":
    main()
