"""The page: one set of files and one bridge, hosted by a local server or as a static folder."""
