"""Labs of the series ``systems``."""
