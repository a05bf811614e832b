"""Text: from lines to checked segments and their tokens. Nothing here knows flags or boxes."""
