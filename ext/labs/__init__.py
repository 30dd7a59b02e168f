"""The labs: one importable module for each note, computing the figures that the note quotes."""
