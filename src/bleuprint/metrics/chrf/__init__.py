"""chrF and chrF++: how characters and words of two texts agree, from counts to reasons."""
