"""The kernel under tools that are installed: nobody changes a line of their own code."""
