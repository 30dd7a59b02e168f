"""Labs of the series ``concepts``."""
